"""Runs, told to the tools a team already watches: spans, evaluation results and metrics."""

from affidavit.records.telemetry.evaluations import Evaluation as Evaluation
from affidavit.records.telemetry.mlflow import mlflow as mlflow
from affidavit.records.telemetry.otlp import OtlpTelemetry as OtlpTelemetry
from affidavit.records.telemetry.phoenix import phoenix as phoenix
from affidavit.records.telemetry.redaction import redact as redact
from affidavit.records.telemetry.telemetry import Telemetry as Telemetry
