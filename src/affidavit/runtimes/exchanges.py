"""The exchanges of one guarded client, gateway or proxy: each request finds the run it belongs to."""

from __future__ import annotations

import logging
from functools import partial

from affidavit.errors import AffidavitError
from affidavit.guard import AnswerChecker, Guard, GuardOptions
from affidavit.runtimes.exchange import Exchange, Host
from affidavit.runtimes.identity import Identity
from affidavit.runtimes.open_runs import OpenRuns, Run
from affidavit.runtimes.own_model import own_model
from affidavit.runtimes.wire import Json, Request, Wire
from affidavit.trace import ToolCallPart

_log = logging.getLogger("affidavit.runtimes")


class Unguardable(AffidavitError):
    """A request that is answered with an error, ``body``, of the API's own form."""

    def __init__(self, body: Json) -> None:
        super().__init__(body["error"]["message"])
        self.body = body


class Exchanges:
    """Begins an exchange for each request. Safe to share by threads.

    ``instructs`` says whether what is added to a request reaches the model: not so where it has been asked already.
    """

    def __init__(
        self, detector: AnswerChecker, options: GuardOptions, *, instructs: bool = True
    ) -> None:
        self._detector, self._options, self._instructs = detector, options, instructs
        self._runs = OpenRuns()

    def begin(
        self, wire: Wire, body: Json, host: Host, identity: Identity | None = None
    ) -> Exchange | None:
        """The exchange of a request, of the run that ``identity`` is of; without it, of one by itself.

        None for a request that cannot be read and, failing open, is sent as it is; otherwise such a one
        raises :class:`Unguardable`, as do those that a wire refuses.
        """
        if fault := wire.fault(body):
            raise Unguardable(fault)
        try:
            told = wire.request(body)
        except Exception as error:  # a body of any shape comes from outside
            if self._detector.policy.fail_mode == "open":
                _log.warning("a request that could not be read was not guarded: %s", error)
                return None
            raise Unguardable(wire.error(str(error))) from error
        identity = identity or Identity()
        run = self._run(told, identity)
        if run is None:
            unknown = f"nothing is known here of {told.continues}; send the whole `input` instead"
            raise Unguardable(wire.error(unknown))
        if run.response_id is not None:
            body = wire.resumed(body, run.response_id)
        if self._instructs and run.guard.instruction:
            body = wire.instructed(body, run.guard.instruction) or body
        kept_by_api = wire.api_remembers and body.get("store") is not False
        keep = partial(self._keep, run.guard, identity, told, kept_by_api)
        put_back = partial(self._put_back, run, identity, told)
        exchange = Exchange(wire, run.guard, host, body, keep, put_back)
        if self._detector.policy.judge.asks_own:
            run.guard.own = own_model(exchange)
        return exchange

    def _run(self, told: Request, identity: Identity) -> Run | None:
        """The run that a request belongs to; None where it goes on from what is not known here."""
        if told.continues is not None:
            run = self._runs.by_response(identity, told.continues, told.messages)
            if run is not None:
                run.guard.declare(told.tools or ())  # some may be new in this turn
            return run
        guard = self._runs.by_calls(identity, told.messages)
        if guard is None:
            guard = Guard(
                self._detector,
                messages=told.messages,
                tools=told.tools or (),
                model=told.model,
                **self._options,
            )
            guard.declare_called(told.messages)
        else:
            guard.declare(told.tools or ())  # another agent may have taken over
        return Run(guard, waits=False)

    def _keep(
        self,
        guard: Guard,
        identity: Identity,
        told: Request,
        kept_by_api: bool,
        calls: tuple[ToolCallPart, ...],
        shown_id: str | None,
        own_id: str | None,
    ) -> None:
        if calls:
            self._runs.keep_calls(guard, identity, told.messages, calls)
        if shown_id and kept_by_api:
            self._runs.keep_response(guard, identity, shown_id, waits=bool(calls), own_id=own_id)

    def _put_back(self, run: Run, identity: Identity, told: Request) -> None:
        """The request failed, and its caller may send it again."""
        if told.continues is not None and (taken := run.taken) is not None:
            self._runs.keep_response(
                taken.guard, identity, told.continues, waits=True, own_id=taken.response_id
            )
