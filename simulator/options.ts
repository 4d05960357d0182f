/** The simulator's command-line options. */
import { parseArgs } from 'node:util'
import { msPerDay, msPerHour, msPerMinute, msPerSecond } from '../src/domain/time.ts'
import { failures, type FailingFirmware } from './failingFirmware.ts'
import { parseFaultOrder, type FaultOrder } from './faultOrders.ts'
import { sizeProblem } from './model/faultTexts.ts'
import { slowFaultKinds } from './model/slowFaults.ts'
import type { Sleep } from './sleep.ts'

export interface Options {
  /** Number of generated devices if no fleet file is given. */
  readonly devices: number
  /** Milliseconds between two readings of a device. */
  readonly interval: number
  /** Speed of the simulated clock relative to real time. */
  readonly speed: number
  /** The broker's address. */
  readonly url: string
  /** Path of a PEM file with certificates to trust, besides those of the usual authorities. */
  readonly ca: string | undefined
  /** Path of a fleet file, as written by `npm run device -- credentials`. */
  readonly fleet: string | undefined
  readonly seed: number
  /** Whether devices draw water and fail; otherwise only commands have an effect. */
  readonly draws: boolean
  /** Maximum number of devices that connect a second. */
  readonly connects: number
  /** Maximum milliseconds between two attempts of a device to connect. */
  readonly maxBackOff: number
  /** Which devices sleep and for how long; undefined if none does. */
  readonly sleep: Sleep | undefined
  /** A firmware version that fails on some devices. */
  readonly failingFirmware: FailingFirmware | undefined
  /** Slow faults of some devices. */
  readonly faults: readonly FaultOrder[]
  /** Path of the log of what devices did. */
  readonly log: string | undefined
}

export const usage = `Usage: npm run simulate -- [options]
  --url mqtt://127.0.0.1:1883  address of the broker
  --ca file                    certificates (PEM) to trust for an mqtts:// address, such as the broker's own
  --fleet file                 devices and their secrets, written by npm run device -- credentials
  --devices 500                number of generated devices without --fleet, for a broker without passwords
  --interval 30s               time between two readings of a device (s, m or h)
  --speed 1                    speed of the devices' clocks relative to real time
  --seed 1                     seed for the generated devices and their behaviour
  --draws on                   set to off for devices that draw no water and never fail
  --connects 200               maximum number of devices that connect a second
  --max-back-off 1m            maximum time between two attempts of a device to connect
  --sleep 0.2:10m:30s          share of devices that sleep, time between two sleeps, and length of a sleep
  --failing-firmware 9.9.9:0.1 version that fails on a share of the devices; with :refused they refuse it instead
  --fault fouling:0.3:90d      slow fault of 5 % of the devices, or of a share or device with @0.1 or @BSSID; can be repeated
  --log file                   JSON Lines of what each device did`

/** An invalid option; the message is printed without a stack trace. */
export class OptionError extends Error {}

/** Parses the command line. Throws an `OptionError` for an invalid option. */
export function readOptions(args: readonly string[]): Options {
  const { values } = parseArguments(args)
  const url = values.url
  if (!URL.canParse(url) || !/^(mqtts?|wss?):\/\//.test(url))
    throw new OptionError(`--url must be an address such as mqtt://127.0.0.1:1883, not ${url}`)
  if (values.draws !== 'on' && values.draws !== 'off') throw new OptionError('--draws must be on or off')
  if (values.fleet !== undefined && values.devices !== undefined)
    throw new OptionError('--devices cannot be combined with --fleet')
  return {
    devices: parseNumber('--devices', values.devices ?? '500', 1, 1_000_000, true),
    interval: parseDuration('--interval', values.interval),
    speed: parseNumber('--speed', values.speed, 0.01, 100_000),
    url,
    ca: values.ca,
    fleet: values.fleet,
    seed: parseNumber('--seed', values.seed, 0, 2 ** 32 - 1, true),
    draws: values.draws === 'on',
    connects: parseNumber('--connects', values.connects, 1, 100_000),
    maxBackOff: parseDuration('--max-back-off', values['max-back-off']),
    sleep: values.sleep === undefined ? undefined : parseSleep(values.sleep),
    failingFirmware:
      values['failing-firmware'] === undefined ? undefined : parseFailingFirmware(values['failing-firmware']),
    faults: values.fault.map(parseFaultOption),
    log: values.log,
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
        ca: { type: 'string' },
        fleet: { type: 'string' },
        seed: { type: 'string', default: '1' },
        draws: { type: 'string', default: 'on' },
        connects: { type: 'string', default: '200' },
        'max-back-off': { type: 'string', default: '1m' },
        sleep: { type: 'string' },
        'failing-firmware': { type: 'string' },
        fault: { type: 'string', multiple: true, default: [] },
        log: { type: 'string' },
      },
    })
  } catch (error) {
    throw new OptionError(error instanceof Error ? error.message : String(error))
  }
}

function parseNumber(option: string, text: string, min: number, max: number, whole = false): number {
  const value = Number(text)
  if (text.trim() === '' || Number.isNaN(value) || value < min || value > max || (whole && !Number.isInteger(value)))
    throw new OptionError(`${option} must be a ${whole ? 'whole ' : ''}number from ${min} to ${max}, not ${text}`)
  return value
}

const units: Readonly<Record<string, number>> = { s: msPerSecond, m: msPerMinute, h: msPerHour }
/** The protocol's maximum interval between two readings, milliseconds; other durations have it too. */
const maxDuration = msPerDay

/** Returns `10s`, `1m` or `2h` in milliseconds: whole seconds, which is the unit that devices report. */
function parseDuration(option: string, text: string): number {
  const [, amount, unit = 's'] = /^(\d+)([smh])?$/.exec(text) ?? []
  const length = Number(amount) * units[unit]!
  if (!(length >= 1000 && length <= maxDuration))
    throw new OptionError(`${option} must be a time from 1s to 24h, such as 10s, not ${text}`)
  return length
}

/** Parses `share:awake:asleep`, such as `0.2:10m:30s`. */
function parseSleep(text: string): Sleep {
  const [share, awake, asleep, ...rest] = text.split(':')
  if (share === undefined || awake === undefined || asleep === undefined || rest.length > 0)
    throw new OptionError(`--sleep must be a share and two times, such as 0.2:10m:30s, not ${text}`)
  return {
    share: parseShare('--sleep', share),
    awake: parseDuration('--sleep', awake),
    asleep: parseDuration('--sleep', asleep),
  }
}

/** Parses `version[:share[:failure]]`, such as `9.9.9:0.1:refused`. */
function parseFailingFirmware(text: string): FailingFirmware {
  const [version = '', share = '0.1', given = 'failed', ...rest] = text.split(':')
  const failure = failures.find(one => one === given)
  if (version === '' || failure === undefined || rest.length > 0)
    throw new OptionError(`--failing-firmware must be such as 9.9.9, 9.9.9:0.1 or 9.9.9:0.1:refused, not ${text}`)
  return { version, share: parseShare('--failing-firmware', share), failure }
}

/** Parses `kind[:size[:duration]][@share or BSSID]`, such as `fouling:0.3:90d@0.1`. */
function parseFaultOption(text: string): FaultOrder {
  const order = parseFaultOrder(text)
  if (order === undefined)
    throw new OptionError(
      `--fault must be such as fouling:0.3:90d, fouling:0.3:90d@0.1 or leak@A4:1C:09:7E:33:0B, not ${text}; ` +
        (sizeProblem(text.split('@')[0]!) ?? `faults are ${slowFaultKinds.join(', ')}`),
    )
  return order
}

const parseShare = (option: string, text: string) => parseNumber(`The share of ${option}`, text, 0, 1)
