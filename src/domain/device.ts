/** The codes of a device and their names (specification, section 4), and the colour of each status. */

/** `ok` idle without faults, `busy` working, `mute` not connected, `warn` restricted, `bad` needs attention. */
export type Tone = 'ok' | 'busy' | 'mute' | 'warn' | 'bad'

export interface Status {
  readonly label: string
  readonly tone: Tone
  /** An explanation in a sentence. */
  readonly meaning: string
}

export const statuses = {
  0: { label: 'Ready', tone: 'ok', meaning: 'Waiting for water to be drawn.' },
  1: { label: 'Working', tone: 'busy', meaning: 'Producing permeate.' },
  2: { label: 'Flushing', tone: 'busy', meaning: 'Rinsing the membrane.' },
  3: { label: 'Offline', tone: 'mute', meaning: 'No data for three reporting intervals.' },
  4: { label: 'Leak', tone: 'bad', meaning: 'Water was found where there should be none.' },
  5: { label: 'Error', tone: 'bad', meaning: 'The unit stopped with a fault.' },
  6: {
    label: 'Firmware update',
    tone: 'warn',
    meaning: 'Installing firmware. The device takes no commands until it is installed.',
  },
  7: { label: 'Calibration mode', tone: 'warn', meaning: 'A technician is calibrating its sensors.' },
  8: { label: 'Protection', tone: 'warn', meaning: 'Stopped itself to protect the membrane or the pump.' },
  10: { label: 'Pump failure', tone: 'bad', meaning: 'The pump does not build up pressure.' },
  11: { label: 'Input flow sensor failure', tone: 'bad', meaning: 'Feed flow is not measured.' },
  12: { label: 'Output flow sensor failure', tone: 'bad', meaning: 'Permeate flow is not measured.' },
  13: { label: 'Pressure sensor failure', tone: 'bad', meaning: 'Feed pressure is not measured.' },
  14: { label: 'Input temperature sensor failure', tone: 'bad', meaning: 'Feed temperature is not measured.' },
  15: { label: 'Output temperature sensor failure', tone: 'bad', meaning: 'Permeate temperature is not measured.' },
  16: { label: 'Input TDS sensor failure', tone: 'bad', meaning: 'Feed salinity is not measured.' },
  17: { label: 'Output TDS sensor failure', tone: 'bad', meaning: 'Permeate salinity is not measured.' },
  18: { label: 'No input pressure', tone: 'bad', meaning: 'No feed water arrives.' },
} as const satisfies Record<number, Status>

export type StatusCode = keyof typeof statuses
export const statusCodes = Object.keys(statuses).map(Number) as StatusCode[]
export const offlineStatus: StatusCode = 3
/** The device installs firmware. */
export const updatingStatus: StatusCode = 6

export const powerModes = ['External 24V', 'External 5V', 'Batteries'] as const
export const cartridgeKinds = ['Pre-filter', 'Post-filter', 'Membrane'] as const

export const smartFlush = ['save_water', 'balanced', 'save_membrane'] as const
export type SmartFlush = (typeof smartFlush)[number]
export const smartFlushNames: Record<SmartFlush, string> = {
  save_water: 'Save water',
  balanced: 'Balanced',
  save_membrane: 'Save membrane',
}
export const flushModes = ['Off', 'After', 'Before'] as const
/** A flush at every nth draw. */
export const flushFrequencies = [2, 5, 10, 20] as const
export const flushFrequencyNames = ['2nd', '5th', '10th', '20th'] as const
/** Seconds. */
export const flushDurations = [9, 18, 36] as const
/** Minutes. */
export const idleProtectionDurations = [0, 30, 60, 90, 120] as const
export const uvModes = ['Off', 'On'] as const
export const smartBypassOptions = ['Off', 'Low', 'High'] as const
/** The bypass valve: closed, or open at one of three rates that the device model defines. */
export const bypassStates = ['Closed', 'Rate 1', 'Rate 2', 'Rate 3'] as const

/** Capabilities of device models; devices of models without a capability refuse its commands. */
export const capabilityNames = {
  flush: 'Flush',
  idle_protection: 'Idle protection',
  bypass: 'Bypass',
  uv: 'UV module',
  lock: 'Vendor lock',
  valve: 'Valve',
} as const
export type Capability = keyof typeof capabilityNames
export const capabilities = Object.keys(capabilityNames) as readonly Capability[]
