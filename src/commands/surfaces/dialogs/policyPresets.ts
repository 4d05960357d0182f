/** The values through which a chip of a policy goes. */
import type { JobPolicy } from '../../../api/contract/jobPolicy.ts'
import { parsePolicy, type PolicyPart } from '../../arguments/policy.ts'

/** The property of a policy that a part stands for. */
const propertyOf: Readonly<Record<PolicyPart, keyof JobPolicy>> = {
  start: 'start',
  waves: 'waves',
  rate: 'rate',
  window: 'window',
  wait: 'offline',
  retries: 'retries',
  stop: 'stop',
}

/** The texts of each part; an empty one is the policy without it. */
const presets: Readonly<Record<PolicyPart, readonly string[]>> = {
  start: ['', 'start 02:00', 'start 12:00', 'start 18:00'],
  waves: ['', 'waves 1% 10%', 'waves 1%/1h 10%/1h', 'waves 5%/1d 25%/1d'],
  rate: ['', 'rate 10', 'rate 100', 'rate 1000'],
  window: ['', 'window 02-05', 'window 22-06', 'window 09-17 mon-fri'],
  wait: ['wait skip', 'wait 1d', 'wait 7d', 'wait 30d'],
  retries: ['', 'retries 1', 'retries 3'],
  stop: ['stop never', 'stop 5%/20', 'stop 1%/20', 'stop 10%/20'],
}

/** Returns the policy with the next preset of a part, after its last with the first. `now`: milliseconds UTC. */
export function withNextPreset(policy: JobPolicy, part: PolicyPart, now: number): JobPolicy {
  const property = propertyOf[part]
  const { [property]: current, ...others } = policy
  const values = presets[part].map(text => {
    const parsed = parsePolicy(text, now)
    return 'policy' in parsed ? parsed.policy : {}
  })
  const sign = (value: unknown) => JSON.stringify(value)
  const at = values.findIndex(value => sign(value[property]) === sign(current))
  // Without a value, a job skips offline devices and never stops, as the first preset says.
  const index = at < 0 && current === undefined ? 0 : at
  return { ...others, ...values[(index + 1) % values.length] }
}
