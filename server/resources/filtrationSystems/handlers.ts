/** The filtration systems' endpoints; the groups to choose from are with the groups. */
import type { Handler } from '../../endpoints/handler.ts'
import { assignVendor, edit, remove } from './change.ts'
import { list } from './list.ts'
import { upload } from './upload.ts'

export const filtrationSystemHandlers: readonly Handler[] = [list, edit, assignVendor, remove, upload]
