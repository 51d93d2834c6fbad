"""The ledger: an append-only record of reports, each sealed by a hash that covers the one before it."""

from imprimatur.ledger.records import Record, Verification
from imprimatur.ledger.store import Ledger

__all__ = ["Ledger", "Record", "Verification"]
