/** The bus over NATS. */
import { startServer } from '../support/harness.ts'
import { startNats } from '../support/nats.ts'
import { proveBus } from './proveBus.ts'

proveBus({ kind: 'nats', server: await startServer(), natsUrl: (await startNats()).url })
