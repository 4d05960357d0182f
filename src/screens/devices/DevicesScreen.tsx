import { ListScreen } from '../../commands/surfaces/list/ListScreen.tsx'
import type { EmptyList } from '../../commands/surfaces/list/ListEmpty.tsx'
import { deviceCells } from './cells.tsx'

const empty: EmptyList = { text: 'No devices yet. Upload a file to add some.', command: 'device.upload' }

/** The list of devices. Its side panel is `DevicePanel`. */
export const DevicesScreen = () => <ListScreen entity="devices" cells={deviceCells} empty={empty} />
