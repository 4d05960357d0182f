/** All commands, in their order. They load after the first rows have rendered; `initialCommands.ts` has those that the rows need. */
import { accountCommands } from './people/accounts.ts'
import { registerInstead } from './core/registry.ts'
import { calendarCommands } from './calendar/commands.ts'
import { columnCommands } from './lists/columns.ts'
import { listCommands } from './lists/commands.ts'
import { rowCommands } from './lists/rowCommands.ts'
import { chartCommands } from './charts/commands.ts'
import { deselectCommands } from './selection/deselect.ts'
import { deviceCommands } from './devices/commands.ts'
import { deviceControlCommands } from './devices/control.ts'
import { deviceHealthCommands } from './devices/health.ts'
import { deviceScreenCommands } from './devices/screen.ts'
import { deviceSettingsCommands } from './devices/settings.ts'
import { exportCommands } from './export/commands.ts'
import { filtrationCommands } from './catalogue/filtration.ts'
import { findingCommands } from './findings/commands.ts'
import { findCommands } from './catalogue/find.ts'
import { firmwareCommands } from './devices/firmware.ts'
import { resetOnUserSwitch } from './people/userSwitch.ts'
import { oneTimeSecretCommands } from './devices/secrets.ts'
import { jobCommands } from './jobs/commands.ts'
import { keyBindingCommands } from './keys/commands.ts'
import { linkCommands } from './links/commands.ts'
import { modelCommands } from './catalogue/models.ts'
import { notificationCommands } from './notifications/commands.ts'
import { overviewCommands } from './overview/commands.ts'
import { planReplacementCommands } from './calendar/planReplacement.ts'
import { apiKeyCommands } from './people/apiKeys.ts'
import { ownSessionCommands } from './people/ownSessions.ts'
import { passkeyCommands } from './people/passkeys.ts'
import { profileCommands } from './people/profile.ts'
import { secondFactorCommands } from './people/secondFactor.ts'
import { sessionCommands } from './people/session.ts'
import { repeatCommands } from './jobs/repeat.ts'
import { syncScriptCommands } from './scripts/syncCommands.ts'
import { scriptCommands } from './scripts/commands.ts'
import { rowSelectionCommands } from './selection/rowCommands.ts'
import { selectAllCommands } from './selection/selectAll.ts'
import { selectByCommands } from './selection/selectBy.ts'
import { selectHealthCommands } from './selection/selectHealth.ts'
import { selectListCommands } from './selection/selectList.ts'
import { selectEarlierCommands } from './selection/selectEarlier.ts'
import { selectSavedCommands } from './selection/selectSaved.ts'
import { templateCommands } from './lists/templates.ts'
import { tourCommands } from './tour/commands.ts'
import { waterCommands } from './devices/water.ts'
import { undoCommands } from './jobs/undoCommands.ts'
import { navigateCommands } from './view/navigate.ts'
import { unitCommands } from './view/units.ts'
import { viewCommands } from './view/view.ts'

const allCommands = [
  ...deviceCommands,
  ...deviceControlCommands,
  ...rowCommands,
  ...rowSelectionCommands,
  ...listCommands,
  ...navigateCommands,
  ...viewCommands,
  ...sessionCommands,
  ...deviceSettingsCommands,
  ...waterCommands,
  ...columnCommands,
  ...selectAllCommands,
  ...selectByCommands,
  ...selectHealthCommands,
  ...selectListCommands,
  ...selectSavedCommands,
  ...selectEarlierCommands,
  ...modelCommands,
  ...filtrationCommands,
  ...findingCommands,
  ...planReplacementCommands,
  ...firmwareCommands,
  ...accountCommands,
  ...deviceScreenCommands,
  ...deviceHealthCommands,
  ...chartCommands,
  ...calendarCommands,
  ...notificationCommands,
  ...overviewCommands,
  ...exportCommands,
  ...jobCommands,
  ...keyBindingCommands,
  ...unitCommands,
  ...profileCommands,
  ...secondFactorCommands,
  ...passkeyCommands,
  ...ownSessionCommands,
  ...apiKeyCommands,
  ...findCommands,
  ...linkCommands,
  ...scriptCommands,
  ...deselectCommands,
  ...templateCommands,
  ...tourCommands,
  ...oneTimeSecretCommands,
  ...repeatCommands,
  ...undoCommands,
]

declare module './core/commandId.ts' {
  interface CommandLists {
    all: typeof allCommands
  }
}

/**
 * Registers all commands. From then on, the person's scripts are kept registered, and another person's sign-in
 * resets the state.
 */
export function registerAllCommands(): void {
  registerInstead(allCommands)
  syncScriptCommands()
  resetOnUserSwitch()
}
