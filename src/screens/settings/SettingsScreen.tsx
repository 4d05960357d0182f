import { KeyBindings } from './KeyBindings.tsx'
import { UnitChoices } from './UnitChoices.tsx'

/** Preferences of this browser. Changes take effect at once, in all tabs. */
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
