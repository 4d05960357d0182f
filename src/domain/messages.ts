/** What is said about input, in the specification's words (section 5). The server and the forms say the same. */
export const messages = {
  required: (attribute: string) => `${attribute} is required`,
  email: (attribute: string) => `${attribute} must be a valid email address`,
  passwordsMatch: 'Passwords must match',
  min: (attribute: string, min: number) => `${attribute} must be at least ${min} characters`,
  max: (attribute: string, max: number) => `${attribute} must be at most ${max} characters`,
  atLeast: (attribute: string, min: number) => `${attribute} must be greater than or equal to ${min}`,
  atMost: (attribute: string, max: number) => `${attribute} must be less than or equal to ${max}`,
  integer: (attribute: string) => `${attribute} must be an integer`,
  number: (attribute: string) => `${attribute} must be a number`,
  oneOf: (attribute: string, values: readonly string[]) => `${attribute} must be one of ${values.join(', ')}`,
  someDevices: 'At least one device must be selected',
  sameVendor: 'Please select devices from the same vendor',
  singleEntity: 'Please select one entity',
  settingsUpdated: (count: number, total: number) => `Settings updated for ${count} out of ${total} devices`,
} as const
