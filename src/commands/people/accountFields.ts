/** Schemas of the account fields with their labels. */
import * as z from 'zod/mini'
import { admins, vendors } from '../../api/contract/accounts.ts'
import { labelled } from '../../api/contract/fields.ts'

const admin = admins.create.body.shape
const vendor = vendors.create.body.shape

export const accountFields = {
  login: labelled(admin.login, { label: 'Login' }),
  first_name: labelled(admin.first_name, { label: 'First name' }),
  last_name: labelled(admin.last_name, { label: 'Last name' }),
}
export const companyFields = {
  company_name: labelled(vendor.company_name, { label: 'Company name' }),
  company_address: labelled(vendor.company_address, { label: 'Company address', as: 'multiline' }),
  description: labelled(z.optional(vendor.description.def.innerType), { label: 'Description', as: 'multiline' }),
}
