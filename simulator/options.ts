/** What the simulator is asked to do, on its command line. */
import { parseArgs } from 'node:util'

export interface Options {
  /** Devices to make up where no fleet is given. */
  readonly devices: number
  /** Milliseconds between two readings of a device. */
  readonly interval: number
  /** How much faster the devices' clocks run than the world's. */
  readonly speed: number
  /** The broker's address. */
  readonly url: string
  /** A fleet file, as `npm run device -- credentials` writes it. */
  readonly fleet: string | undefined
  readonly seed: number
  /** Whether anybody draws water; if not, nothing happens but what is commanded. */
  readonly draws: boolean
  /** Devices that connect in a second, at most. */
  readonly connects: number
}

export const usage = `Usage: npm run simulate -- [options]
  --url mqtt://127.0.0.1:1883  the broker
  --fleet file                 devices and their secrets, as npm run device -- credentials writes them
  --devices 500                without a fleet: so many made-up devices, for a broker that asks for no password
  --interval 30s               between two readings of a device (s, m or h)
  --speed 1                    how much faster the devices' clocks run
  --seed 1                     what the devices are made from
  --draws on                   off: nobody draws water, nothing breaks
  --connects 200               devices that connect in a second`

/** What is asked for cannot be done; the message is for the person who asks. */
export class OptionError extends Error {}

/** Reads the command line. Throws an `OptionError` that says what is wrong. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArguments(args)
  const url = values.url
  if (!URL.canParse(url) || !/^(mqtts?|wss?):\/\//.test(url))
    throw new OptionError(`--url must be an address such as mqtt://127.0.0.1:1883, not ${url}`)
  if (values.draws !== 'on' && values.draws !== 'off') throw new OptionError('--draws must be on or off')
  if (values.fleet !== undefined && values.devices !== undefined)
    throw new OptionError('--devices are made up, so they cannot be asked for together with a --fleet')
  return {
    devices: parseNumber('--devices', values.devices ?? '500', 1, 1_000_000, true),
    interval: parseDuration(values.interval),
    speed: parseNumber('--speed', values.speed, 0.01, 100_000),
    url,
    fleet: values.fleet,
    seed: parseNumber('--seed', values.seed, 0, 2 ** 32 - 1, true),
    draws: values.draws === 'on',
    connects: parseNumber('--connects', values.connects, 1, 100_000),
  }
}

function parseArguments(args: readonly string[]) {
  try {
    return parseArgs({
      args: [...args],
      options: {
        devices: { type: 'string' },
        interval: { type: 'string', default: '30s' },
        speed: { type: 'string', default: '1' },
        url: { type: 'string', default: 'mqtt://127.0.0.1:1883' },
        fleet: { type: 'string' },
        seed: { type: 'string', default: '1' },
        draws: { type: 'string', default: 'on' },
        connects: { type: 'string', default: '200' },
      },
    })
  } catch (error) {
    throw new OptionError(error instanceof Error ? error.message : String(error))
  }
}

function parseNumber(option: string, text: string, least: number, most: number, whole = false): number {
  const value = Number(text)
  if (text.trim() === '' || Number.isNaN(value) || value < least || value > most || (whole && !Number.isInteger(value)))
    throw new OptionError(`${option} must be a ${whole ? 'whole ' : ''}number from ${least} to ${most}, not ${text}`)
  return value
}

const units: Readonly<Record<string, number>> = { s: 1000, m: 60_000, h: 3_600_000 }
/** The protocol's longest interval between two readings. */
const maxInterval = 86_400_000

/** `10s`, `1m`, `2h` in milliseconds; whole seconds, as devices tell their interval in them. */
function parseDuration(text: string): number {
  const [, amount, unit = 's'] = /^(\d+)([smh])?$/.exec(text) ?? []
  const length = Number(amount) * units[unit]!
  if (!(length >= 1000 && length <= maxInterval))
    throw new OptionError(`--interval must be a time from 1s to 24h, such as 10s, not ${text}`)
  return length
}
