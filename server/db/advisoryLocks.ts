/** Keys of the advisory locks by which processes on one database wait for each other. */

/** Exclusive while migrations run or a backup is restored: one process at a time. */
export const migrationLock = 7_305_061_936
/** Exclusive while partitions are created. */
export const partitionLock = 7_305_061_937
/**
 * Shared while a backup is made; exclusive for what drops or changes tables. Waiting for the table locks of a backup
 * instead would make every query behind it wait too.
 */
export const backupLock = 7_305_061_950
/**
 * The first of two keys; exclusive while notifications of a device are stored, whose limit is counted. The second key is a
 * part of the hash of its BSSID: a statement may have a thousand devices, and PostgreSQL has room for some thousand locks.
 */
export const notificationLock = 730_506_195
/** Shared while a server uses the database. */
export const serverLock = 7_305_061_951
/** Exclusive while telemetry in ClickHouse is summed or removed: one process at a time. */
export const telemetryLock = 7_305_061_952
/**
 * Shared while readings are stored in ClickHouse; exclusive while hours are announced as summed. Its queue is fair, unlike that of
 * row locks: there, batches that overlap would keep the announcement waiting.
 */
export const summingLock = 7_305_061_954
/** Exclusive while incidents of several vendors are joined into storms. */
export const stormLock = 7_305_061_953
/** Shared while a server uses a kind of broker: its own, or an external one. Below 2³², because the holders are looked up. */
export const brokerLocks = { embedded: 7_306_001, external: 7_306_002 } as const
