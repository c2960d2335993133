"""Debtors and charges from the lines of a file: once each, however often the file is run."""

from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, field
from datetime import timedelta
from typing import Final

import msgspec

from application.access.system import system_grant
from application.dunning.import_batches import BatchOutcome, ImportBatch, Line
from application.operations.call import Call
from domain.access.audit import AuditEntry, Origin
from domain.access.grant import Tenant
from domain.access.idempotency import KeyScope, StoredAnswer
from domain.errors import Detail, DuplicateError
from domain.ports.clocks import SystemClock
from domain.ports.ids import Ids
from domain.ports.storage import OpenWork, Work

JOB: Final = "import"
BATCH: Final = 200
"""Lines of one transaction."""

REMEMBERED: Final = timedelta(days=365)
"""How long a file counts as run; after that only documents and external ids tell."""

_TRIES: Final = 3
_NUMBERS: Final = msgspec.json.Decoder(set[int])


@dataclass(frozen=True, slots=True, kw_only=True)
class ImportedFile:
    """The lines of a file, and how a batch of them is created.

    `digest` is the SHA-256 by which the file is known, `operation` what its lines are run through.
    Batches are cut by the place of a line in the file: they are the same in every run.
    """

    operation: str
    digest: bytes
    batches: Sequence[Sequence[Line]]
    create: ImportBatch


@dataclass(slots=True, kw_only=True)
class Imported:
    """How many lines were created and known, and what is wrong with each of the others."""

    created: int = 0
    known: int = 0
    failed: dict[int, tuple[Detail, ...]] = field(default_factory=dict)

    def add(self, outcome: BatchOutcome, before: int) -> None:
        """Count a batch, of which `before` lines had been done in an earlier run."""
        self.created += len(outcome.created)
        self.known += len(outcome.known) + before
        self.failed |= outcome.failed


class ImportFile:
    """Runs a file in one organisation, in the name of the service itself.

    What a batch has done is written down with it, so that a second run, or one after an
    interruption, does only what is left.
    """

    def __init__(self, open_work: OpenWork, clock: SystemClock, ids: Ids) -> None:
        self._open_work = open_work
        self._clock = clock
        self._ids = ids

    async def __call__(
        self, tenant: Tenant, file: ImportedFile, done: Callable[[int], None]
    ) -> Imported:
        """Create what is not there yet; `done` hears how many lines each batch had.

        Raises:
            IdempotencyBusyError: somebody else is running the same file.
        """
        total = Imported()
        for batch in file.batches:
            async with self._open(tenant) as work:
                await self._run(tenant, work, file, batch, total)
                await work.commit()
            done(len(batch))
        return total

    async def rehearse(
        self, tenant: Tenant, file: ImportedFile, done: Callable[[int], None]
    ) -> Imported:
        """The same in one transaction that is undone: nothing is written."""
        total = Imported()
        async with self._open(tenant) as work:
            for batch in file.batches:
                await self._run(tenant, work, file, batch, total)
                done(len(batch))
        return total

    def _open(self, tenant: Tenant) -> AbstractAsyncContextManager[Work]:
        return self._open_work(system_grant(tenant, JOB), self._origin())

    def _origin(self) -> Origin:
        return Origin(request_id=self._ids.new("req"), via="job")

    async def _run(
        self, tenant: Tenant, work: Work, file: ImportedFile, batch: Sequence[Line], total: Imported
    ) -> None:
        scope = _scope(file, batch)
        stored = await work.idempotency.claim(scope)
        before = set[int]() if stored is None else _NUMBERS.decode(stored.body)
        left = [line for line in batch if line.number not in before]
        outcome = await self._tried(tenant, work, file, left)
        total.add(outcome, len(batch) - len(left))
        if outcome.created or outcome.known:
            numbers = before.union(outcome.created, outcome.known)
            await work.idempotency.save(scope, self._record(file, numbers))
        if outcome.created:
            await work.audit(self._entry(file, len(outcome.created)))

    async def _tried(
        self, tenant: Tenant, work: Work, file: ImportedFile, lines: Sequence[Line]
    ) -> BatchOutcome:
        """The outcome; where others were quicker with a value, the next try sees their row."""
        if not lines:
            return BatchOutcome()
        call = Call(
            grant=system_grant(tenant, JOB),
            work=work,
            system_now=self._clock.now(),
            ids=self._ids,
            origin=self._origin(),
            locks=True,
        )
        tries_left = _TRIES
        while True:
            tries_left -= 1
            try:
                async with work.savepoint():
                    return await file.create(call, lines)
            except DuplicateError:
                if not tries_left:
                    raise

    def _record(self, file: ImportedFile, numbers: set[int]) -> StoredAnswer:
        # Numbers only: an erased person must not be found by it.
        return StoredAnswer(
            fingerprint=file.digest,
            status=201,
            body=msgspec.json.encode(sorted(numbers)),
            expires_at=self._clock.now() + REMEMBERED,
        )

    def _entry(self, file: ImportedFile, created: int) -> AuditEntry:
        return AuditEntry(
            id=self._ids.new("aud"),
            at=self._clock.now(),
            action=file.operation,
            resource=None,
            outcome="ok",
            diff={"imported": [0, created]},
        )


def _scope(file: ImportedFile, batch: Sequence[Line]) -> KeyScope:
    return KeyScope(
        issuer="",
        subject=JOB,
        operation=file.operation,
        path_ids=(),
        key=f"{file.digest.hex()}:{batch[0].number}",
    )
