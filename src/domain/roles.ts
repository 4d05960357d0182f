/** Roles that can sign in to the console. The fourth role, `user`, is a managed account without a screen. */
export const roles = ['superadmin', 'admin', 'vendor'] as const
export type Role = (typeof roles)[number]

/** Roles that work with devices. */
export const deviceRoles = ['admin', 'vendor'] as const satisfies readonly Role[]

export const accountRoles = [...roles, 'user'] as const
export type AccountRole = (typeof accountRoles)[number]
