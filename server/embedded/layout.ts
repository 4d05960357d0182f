/** Where the embedded databases are in the data folder. */
import { join } from 'node:path'

/** The folder of PostgreSQL: its data, its password and its log. */
export const postgresFolder = (dataDir: string) => join(dataDir, 'postgres')
/** The same while it is set up; it is renamed once it is complete. */
export const unfinishedFolder = (dataDir: string) => join(dataDir, 'postgres.unfinished')
/** PGlite's folder, also that of earlier versions. */
export const pgliteFolder = (dataDir: string) => join(dataDir, 'database')

/** Within PostgreSQL's folder. */
export const dataOf = (folder: string) => join(folder, 'data')
export const passwordOf = (folder: string) => join(folder, 'password')
export const logOf = (folder: string) => join(folder, 'server.log')
/** Written by PostgreSQL while it runs: its process id and where it listens. */
export const pidFileOf = (folder: string) => join(dataOf(folder), 'postmaster.pid')
