/** Schemas of the account fields with their labels. */
import { admins, vendors } from '../../api/contract/accounts.ts'
import { withMeta } from '../../api/contract/fields.ts'

const admin = admins.create.body.shape
const vendor = vendors.create.body.shape

export const accountFields = {
  login: withMeta(admin.login, { label: 'Login' }),
  first_name: withMeta(admin.first_name, { label: 'First name' }),
  last_name: withMeta(admin.last_name, { label: 'Last name' }),
}
export const companyFields = {
  company_name: withMeta(vendor.company_name, { label: 'Company name' }),
  company_address: withMeta(vendor.company_address, { label: 'Company address', as: 'multiline' }),
  description: withMeta(vendor.description, { label: 'Description', as: 'multiline' }),
}
