import { KeyBindings } from './KeyBindings.tsx'
import { UnitChoices } from './UnitChoices.tsx'

/** What a person has chosen for this browser. Every choice takes effect at once, also in its other tabs. */
export function SettingsScreen() {
  return (
    <div className="overflow-auto">
      <div className="grid max-w-[58rem] gap-4 p-3 sm:p-5">
        <h1 tabIndex={-1} className="text-base font-semibold tracking-tight">
          Settings
        </h1>
        <UnitChoices />
        <KeyBindings />
      </div>
    </div>
  )
}
