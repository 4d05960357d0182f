/** Telemetry in PostgreSQL. */
import { openPostgresTelemetry } from '../../../server/telemetry/postgres/store.ts'
import { startServer } from '../support/harness.ts'
import { proveStore } from './proveStore.ts'

const server = await startServer()

proveStore({ server, open: () => openPostgresTelemetry(server.db) })
