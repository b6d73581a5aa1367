"""What runs and who runs it: tickets, deployments, employees, logs."""

from __future__ import annotations

from affidavit.training.pairs.domains.domain import CITY, Domain, Field, f, identifier
from affidavit.training.pairs.kinds import (
    Code,
    Count,
    Day,
    Duration,
    Flag,
    Measure,
    Moment,
    Money,
    Name,
    Note,
    Person,
    Several,
    Share,
    State,
)

_TEAMS = Name(
    "platform|payments|growth|security|design|data|support|mobile|legal|finance".split("|")
)

_SERVICES = "checkout|search|billing|gateway|inventory|auth|reports|notifications|cart".split("|")

TICKET = Domain(
    "ticket",
    ("get_ticket", "search_issues", "jira_get_issue", "support.tickets.get", "list_tickets"),
    identifier("ticket_id id key issue_key", "SUP-####"),
    (
        f(
            "status state",
            State(
                {
                    "open": ("{S} is open", "{S} is still open"),
                    "in_progress": ("{S} is in progress", "{S} is being worked on"),
                    "resolved": ("{S} has been resolved", "{S} is resolved"),
                    "closed": ("{S} is closed", "{S} was closed"),
                    "on_hold": ("{S} is on hold", "{S} was put on hold"),
                    "escalated": ("{S} has been escalated", "{S} was escalated"),
                }
            ),
        ),
        f(
            "priority severity",
            Name(["low", "medium", "high", "urgent", "critical"]),
            "{S} has {v} priority",
            "The priority is {v}",
            "It is marked {v}",
        ),
        f(
            "assignee assigned_to owner",
            Person(),
            "{S} is assigned to {v}",
            "{v} is working on it",
            "The assignee is {v}",
        ),
        f(
            "reporter requester created_by",
            Person(),
            "{S} was opened by {v}",
            "{v} reported it",
            "{S} was filed by {v}",
        ),
        f(
            "created_at opened_at created",
            Moment(),
            "{S} was opened on {v}",
            "{S} was created on {v}",
        ),
        f(
            "updated_at last_update",
            Moment(),
            "{S} was last updated on {v}",
            "The last update was on {v}",
        ),
        f("resolved_at closed_at", Moment(), "{S} was resolved on {v}", "It was closed on {v}"),
        f("due_date due", Day(), "{S} is due on {v}", "The deadline is {v}"),
        f(
            "comments num_comments comment_count",
            Count(0, 40),
            "{S} has {v} comments",
            "There are {v} comments on it",
        ),
        f("votes watchers", Count(0, 90), "{S} has {v} watchers", "{v} people are watching it"),
        f(
            "labels tags",
            Several(
                ["bug", "billing", "regression", "login", "mobile", "refund", "outage", "docs"]
            ),
            "{S} is labelled {v}",
            "{S} has the {v} label",
            no=("{S} is not labelled {v}", "It does not have the {v} label"),
        ),
        f(
            "resolution resolution_note",
            Note(("replaced the cable", "refund issued", "password reset", "fixed in release 4.2")),
            "The resolution was: {v}",
            "The resolution reads {v}",
            no=("There is no resolution yet", "{S} has no resolution", "No resolution is recorded"),
        ),
        f("team group", _TEAMS, "{S} belongs to the {v} team", "The {v} team owns it"),
        f(
            "sla_breached overdue",
            Flag(),
            "{S} has breached its SLA",
            no=("{S} has not breached its SLA", "{S} is within its SLA"),
        ),
    ),
)

DEPLOYMENT = Domain(
    "deployment",
    ("get_deployment", "deploy_status", "ci.pipelines.get", "kubectl_get", "list_deployments"),
    identifier("deployment_id id build run_id", "dep-####"),
    (
        f(
            "service app component",
            Name(_SERVICES),
            "{S} is for the {v} service",
            "It deployed {v}",
        ),
        f(
            "status state conclusion",
            State(
                {
                    "succeeded": ("{S} succeeded", "{S} went through", "{S} was successful"),
                    "failed": ("{S} failed", "{S} did not succeed"),
                    "running": ("{S} is running", "{S} is still running"),
                    "rolled_back": ("{S} was rolled back", "{S} has been rolled back"),
                    "queued": ("{S} is queued", "{S} has not started yet"),
                }
            ),
        ),
        f(
            "version tag release",
            Code("v#.#.#"),
            "{S} shipped version {v}",
            "The version is {v}",
            "It is running {v}",
        ),
        f("commit sha commit_sha", Code("a#f##c#"), "{S} is at commit {v}", "The commit is {v}"),
        f(
            "environment env",
            Name(["production", "staging", "development", "canary", "preview"]),
            "{S} went to {v}",
            "It is running in {v}",
            "The environment is {v}",
        ),
        f(
            "replicas instances pods",
            Count(1, 24),
            "{S} has {v} replicas",
            "There are {v} instances running",
        ),
        f("started_at created_at", Moment(), "{S} started on {v}", "{S} was started on {v}"),
        f("finished_at completed_at", Moment(), "{S} finished on {v}", "It completed on {v}"),
        f("duration build_time", Duration(1, 90), "{S} took {v}", "The build took {v}"),
        f("error_rate failure_rate", Share(200), "The error rate is {v}", "{v} of requests fail"),
        f("cpu cpu_usage", Share(1000), "CPU usage is at {v}", "It is using {v} of the CPU"),
        f(
            "memory memory_usage",
            Measure("gb", ("GB", "gigabytes"), 2, 640),
            "It uses {v} of memory",
            "Memory usage is {v}",
        ),
        f(
            "latency p95_latency",
            Measure("ms", ("ms", "milliseconds"), 50, 9000),
            "The p95 latency is {v}",
            "Latency is {v}",
        ),
        f("author deployed_by triggered_by", Person(), "{S} was started by {v}", "{v} deployed it"),
        f("tests_passed passed", Count(1, 900), "{v} tests passed"),
        f("tests_failed failed", Count(0, 30), "{v} tests failed"),
        f(
            "healthy is_healthy",
            Flag(),
            "{S} is healthy",
            no=("{S} is not healthy", "{S} is unhealthy"),
        ),
        f(
            "error error_message",
            Note(
                ("image not found", "out of memory", "timeout waiting for pods", "migration failed")
            ),
            "The error was: {v}",
            "It failed with {v}",
            "The error message says {v}",
            no=("There were no errors", "{S} reported no error", "No error was recorded"),
        ),
    ),
)

EMPLOYEE = Domain(
    "employee",
    ("get_employee", "hr.lookup", "directory_search", "findPerson", "list_employees"),
    Field(
        ("name", "employee_name", "full_name"),
        Name(
            [
                f"{a} {b}"
                for a, b in zip(
                    (
                        "Anna",
                        "Boris",
                        "Celia",
                        "Dmitri",
                        "Esther",
                        "Farid",
                        "Greta",
                        "Hamid",
                        "Iris",
                        "Jorge",
                    ),
                    (
                        "Weiss",
                        "Malik",
                        "Duarte",
                        "Orlov",
                        "Banda",
                        "Rahimi",
                        "Holm",
                        "Saleh",
                        "Quinn",
                        "Vega",
                    ),
                    strict=True,
                )
            ]
        ),
        (),
    ),
    (
        f(
            "title role job_title",
            Name(
                [
                    "software engineer",
                    "account manager",
                    "data analyst",
                    "recruiter",
                    "designer",
                    "product manager",
                    "sales lead",
                    "controller",
                    "support agent",
                ]
            ),
            "{S} is a {v}",
            "{S} works as a {v}",
            "The title is {v}",
        ),
        f("department team", _TEAMS, "{S} works in {v}", "{S} is on the {v} team"),
        f("manager reports_to", Person(), "{S} reports to {v}", "The manager is {v}"),
        f(
            "start_date hired_on hire_date",
            Day(),
            "{S} started on {v}",
            "{S} joined on {v}",
            "{S} was hired on {v}",
        ),
        f(
            "salary annual_salary",
            Money(3000000, 18000000, cents=False),
            "{S} earns {v} a year",
            "The salary is {v}",
        ),
        f(
            "vacation_days pto_balance leave_days",
            Count(0, 35),
            "{S} has {v} vacation days left",
            "There are {v} days of leave left",
        ),
        f("office location city", CITY, "{S} is based in {v}", "{S} works from {v}"),
        f(
            "remote is_remote",
            Flag(),
            "{S} works remotely",
            "{S} is remote",
            no=("{S} does not work remotely", "{S} is not remote"),
        ),
        f("extension phone_ext", Code("####"), "The extension is {v}", "You can call {v}"),
        f(
            "email",
            Name(["a.w@corp.test", "help@corp.test", "jv@corp.test", "team@corp.test"]),
            "The email is {v}",
            "You can write to {v}",
        ),
        f("reports direct_reports", Count(0, 14), "{S} has {v} direct reports"),
        f(
            "skills languages",
            Several(["Python", "SQL", "Spanish", "Excel", "German", "Go", "French"]),
            "{S} knows {v}",
            "The skills include {v}",
            no=("{S} does not know {v}",),
        ),
        f(
            "manager_notes note",
            Note(("on parental leave", "promotion pending", "new badge needed")),
            "The note says {v}",
            no=("There are no notes on file", "No note is recorded"),
        ),
    ),
)

LOG = Domain(
    "log entry",
    ("search_logs", "get_metrics", "query_logs", "monitoring.query", "grep_logs"),
    identifier("request_id id trace_id", "req-#?##?#"),
    (
        f(
            "level severity",
            Name(["info", "warning", "error", "debug", "fatal"]),
            "{S} was logged as {v}",
            "The level is {v}",
        ),
        f(
            "status_code code http_status",
            Name(["200", "201", "301", "400", "403", "404", "429", "500", "502", "503"]),
            "{S} returned {v}",
            "The status code was {v}",
            "It answered with a {v}",
        ),
        f("timestamp time ts", Moment(), "{S} was logged on {v}", "It happened on {v}"),
        f("service host source", Name(_SERVICES), "{S} came from {v}", "The service is {v}"),
        f(
            "latency response_time elapsed",
            Measure("ms", ("ms", "milliseconds"), 20, 9900),
            "{S} took {v}",
            "The response time was {v}",
        ),
        f(
            "bytes size",
            Measure("kb", ("KB", "kilobytes"), 10, 9000),
            "The size was {v}",
            "It sent {v}",
        ),
        f("user username", Person(), "The request was made by {v}", "{S} came from {v}"),
        f("retries attempts", Count(0, 9), "{S} was retried {v} times", "There were {v} retries"),
        f(
            "region zone",
            Name(["us-east-1", "eu-west-2", "ap-south-1", "us-west-2"]),
            "{S} was served from {v}",
            "The region is {v}",
        ),
        f(
            "cached cache_hit",
            Flag(),
            "{S} was served from the cache",
            no=("{S} was not cached", "{S} did not come from the cache"),
        ),
        f(
            "exception error",
            Note(("connection reset", "null pointer", "disk full", "bad gateway")),
            "The exception was {v}",
            "It failed with {v}",
            no=("There was no exception", "No exception was raised"),
        ),
        f("occurrences count hits", Count(1, 5000), "It occurred {v} times", "There were {v} hits"),
    ),
)
