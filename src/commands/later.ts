/** The commands that the first rows do without. */
import { accountCommands } from './accounts.ts'
import { arrived, register } from './all.ts'
import { calendarCommands } from './calendar.ts'
import { chartCommands } from './charts.ts'
import type { Command } from './command.ts'
import { deselectCommands } from './deselect.ts'
import { deviceScreenCommands } from './deviceScreen.ts'
import { deviceSettingsCommands } from './deviceSettings.ts'
import { exportCommands } from './exports.ts'
import { filtrationCommands } from './filtration.ts'
import { findCommands } from './find.ts'
import { firmwareCommands } from './firmware.ts'
import { followPerson } from './handedOver.ts'
import { issuedCommands } from './issued.ts'
import { jobCommands } from './jobCommands.ts'
import { keyBindingCommands } from './keyBindings.ts'
import { linkCommands } from './linkCommands.ts'
import { modelCommands } from './models.ts'
import { notificationCommands } from './notifications.ts'
import { profileCommands } from './profile.ts'
import { repeatCommands } from './repeat.ts'
import { followScripts } from './scripts/registered.ts'
import { scriptCommands } from './scripts/scriptCommands.ts'
import { selectAllCommands } from './selectAll.ts'
import { selectByCommands } from './selectBy.ts'
import { selectListCommands } from './selectList.ts'
import { selectSavedCommands } from './selectSaved.ts'
import { templateCommands } from './templates.ts'
import { undoCommands } from './undoCommands.ts'
import { unitCommands } from './unitCommands.ts'

const laterCommands: readonly Command[] = [
  ...deviceSettingsCommands,
  ...selectAllCommands,
  ...selectByCommands,
  ...selectListCommands,
  ...selectSavedCommands,
  ...modelCommands,
  ...filtrationCommands,
  ...firmwareCommands,
  ...accountCommands,
  ...deviceScreenCommands,
  ...chartCommands,
  ...calendarCommands,
  ...notificationCommands,
  ...exportCommands,
  ...jobCommands,
  ...keyBindingCommands,
  ...unitCommands,
  ...profileCommands,
  ...findCommands,
  ...linkCommands,
  ...scriptCommands,
  ...deselectCommands,
  ...templateCommands,
  ...issuedCommands,
  ...repeatCommands,
  ...undoCommands,
]

/** Makes them known, and from then on a person’s own scripts; and watches whose the session is. */
export function registerLater(): void {
  register(laterCommands)
  arrived.all = true
  followScripts()
  followPerson()
}
