/** The values through which a chip of a policy goes. */
import type { ChosenPolicy } from '../../../api/jobs/jobs.ts'
import { parsePolicy, policyParts, type PolicyPart } from '../../arguments/policy.ts'
import { partWords } from '../../arguments/policyTexts.ts'

/** The words of each part; an empty text is the policy without it. */
const presets: Readonly<Record<PolicyPart, readonly string[]>> = {
  start: ['', 'start 02:00', 'start 12:00', 'start 18:00'],
  repeat: ['', 'repeat daily', 'repeat weekly', 'repeat monthly'],
  waves: ['', 'waves 1% 10%', 'waves 1%/1h 10%/1h', 'waves 5%/1d 25%/1d'],
  rate: ['', 'rate 10', 'rate 100', 'rate 1000'],
  window: ['', 'window 02-05', 'window 22-06', 'window 09-17 mon-fri'],
  wait: ['wait skip', 'wait 1d', 'wait 7d', 'wait 30d'],
  retries: ['', 'retries 1', 'retries 3'],
  until: ['', 'until 7d', 'until 30d', 'until 90d'],
  stop: ['stop never', 'stop 5%/20', 'stop 1%/20', 'stop 10%/20'],
}

/** Returns the policy with the next preset of a part, after its last with the first. `now`: milliseconds UTC. */
export function withNextPreset(policy: ChosenPolicy, part: PolicyPart, now: number): ChosenPolicy {
  const parse = (text: string): ChosenPolicy => {
    const parsed = parsePolicy(text, now)
    return 'policy' in parsed ? parsed.policy : {}
  }
  const current = partWords(part, policy)
  const texts = presets[part]
  const at = texts.findIndex(text => partWords(part, parse(text)) === current)
  // Without a value, a job skips offline devices and never stops, as the first preset says.
  const next = texts[((at < 0 && current === '' ? 0 : at) + 1) % texts.length]!
  return keepSuccess(policy, parse(policyParts.map(one => (one === part ? next : partWords(one, policy))).join(' ')))
}

/** Returns the changed policy with what words cannot say of the earlier one: when an update of the firmware has succeeded. */
export const keepSuccess = ({ success }: ChosenPolicy, changed: ChosenPolicy): ChosenPolicy =>
  success === undefined ? changed : { ...changed, success }
