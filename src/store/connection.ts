/** Whether the server answers. */
import { proxy } from 'valtio'

export const connection = proxy({ online: true })
