"""An S3 of this machine alone."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from uuid import uuid4

import boto3  # type: ignore[import-not-found]
import pytest
from moto.server import ThreadedMotoServer  # type: ignore[import-not-found]


@dataclass
class Bucket:
    """A bucket by its name. It is there once it was created."""

    name: str
    client: Any

    @property
    def url(self) -> str:
        return f"s3://{self.name}"

    def create(self) -> Bucket:
        self.client.create_bucket(Bucket=self.name)
        return self

    def put(self, key: str, content: bytes) -> None:
        self.client.put_object(Bucket=self.name, Key=key, Body=content)

    def get(self, key: str) -> bytes:
        content: bytes = self.client.get_object(Bucket=self.name, Key=key)["Body"].read()
        return content

    def keys(self) -> list[str]:
        listed = self.client.list_objects_v2(Bucket=self.name).get("Contents", [])
        return sorted(one["Key"] for one in listed)


@pytest.fixture(scope="session")
def server() -> Iterator[str]:
    """The address of a server that speaks S3, for as long as the tests of this folder run."""
    running = ThreadedMotoServer(ip_address="127.0.0.1", port=0, verbose=False)
    running.start()
    host, port = running.get_host_and_port()
    yield f"http://{host}:{port}"
    running.stop()


@pytest.fixture
def bucket(server: str, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> Bucket:
    """A bucket that is still to be created, where whoever looks for credentials finds some."""
    told = {
        "AWS_ENDPOINT_URL": server, "AWS_ACCESS_KEY_ID": "test", "AWS_SECRET_ACCESS_KEY": "test",
        "AWS_DEFAULT_REGION": "us-east-1", "AFFIDAVIT_STATE": str(tmp_path / "state"),
    }  # fmt: skip
    for name, value in told.items():
        monkeypatch.setenv(name, value)
    return Bucket(f"runs-{uuid4().hex[:12]}", boto3.client("s3"))
