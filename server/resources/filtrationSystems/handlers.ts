/** Endpoints of filtration systems, except the list of groups. */
import type { Handler } from '../../endpoints/handler.ts'
import { assignVendor, edit, remove } from './change.ts'
import { list } from './list.ts'
import { upload } from './upload.ts'

export const filtrationSystemHandlers: readonly Handler[] = [list, edit, assignVendor, remove, upload]
