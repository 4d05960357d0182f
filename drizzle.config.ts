import { defineConfig } from 'drizzle-kit'

/** `drizzle-kit export` prints the schema as SQL; migrations are written by hand. */
export default defineConfig({ dialect: 'postgresql', schema: './server/db/schema/*.ts' })
