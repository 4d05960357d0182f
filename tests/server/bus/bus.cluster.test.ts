/** The bus over PostgreSQL. */
import { startServer } from '../support/harness.ts'
import { proveBus } from './proveBus.ts'

proveBus({ kind: 'postgres', server: await startServer() })
