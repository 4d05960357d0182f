import { ListScreen } from '../../commands/surfaces/list/ListScreen.tsx'
import { deviceCells } from './cells.tsx'

const empty = { text: 'There are no devices yet. Upload a file of them to begin.', command: 'device.upload' }

/** The devices that one may see. Their panel is `DevicePanel`. */
export const DevicesScreen = () => <ListScreen entity="devices" cells={deviceCells} empty={empty} />
