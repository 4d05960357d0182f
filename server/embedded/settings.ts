/** The settings of the embedded PostgreSQL: durable, and small enough to run beside the server. */

/** The file that the server writes at every start; `postgresql.conf`, which it includes this in, is the operator's. */
export const settingsFile = 'permeate.conf'

export const settings = `# Written by Permeate at every start. Change postgresql.conf instead: what follows the include there is kept.
fsync = on
synchronous_commit = on
full_page_writes = on

# Memory: a connection has a process of its own, and the server uses few of them.
max_connections = 25
# A backup or a restore locks every table, and readings have one a day.
max_locks_per_transaction = 256
shared_buffers = 64MB
work_mem = 8MB
maintenance_work_mem = 64MB
effective_cache_size = 512MB

# Processes. Parallel queries also need shared memory, and containers have little.
max_parallel_workers_per_gather = 0
max_parallel_maintenance_workers = 0
max_worker_processes = 2
max_logical_replication_workers = 0
io_method = sync
autovacuum = on
autovacuum_max_workers = 1

# No replica reads the write-ahead log. Its size bounds how long recovery takes after a crash. A page is logged as a whole when it
# first changes after a checkpoint. In a large fleet most of the log is pages, so checkpoints must not follow each other fast.
wal_level = minimal
max_wal_senders = 0
wal_compression = on
min_wal_size = 64MB
max_wal_size = 512MB
checkpoint_timeout = 10min

# Failed statements are reported to the server, and may contain personal data.
log_min_messages = log
log_min_error_statement = panic
log_checkpoints = off
log_timezone = 'UTC'

timezone = 'UTC'
jit = off
`

/** What `postgresql.conf` says in a new database. */
export const operatorSettings = `include = '${settingsFile}'

# Settings below replace those of Permeate, which it writes to ${settingsFile} at every start.
`

/** For tests, whose data does not outlive them and need not reach the disk. */
export const withoutDisk = ['fsync=off', 'synchronous_commit=off', 'full_page_writes=off', 'wal_level=minimal']
