/** What is in a database before a backup is restored into it, and how it is removed. */
import type { Query } from '../dump/tables.ts'

/**
 * `empty`: no tables, or those of Permeate without an account, as after its first start. `used`: Permeate's tables with
 * data. `foreign`: tables of another program.
 */
export type Use = 'empty' | 'used' | 'foreign'

export async function readUse(query: Query): Promise<Use> {
  const [found] = await query<{ tables: boolean; migrations: boolean; accounts: boolean }>(`
    select to_regclass('drizzle.__drizzle_migrations') is not null as migrations,
      to_regclass('public.accounts') is not null as accounts,
      exists (select from pg_class where relkind in ('r', 'p') and relnamespace = 'public'::regnamespace
        and not ${isOfExtension('pg_class', 'oid')}) as tables`)
  const { tables, migrations, accounts } = found!
  if (!migrations) return tables ? 'foreign' : 'empty'
  if (!accounts) return 'empty'
  const [used] = await query<{ used: boolean }>('select exists (select from public.accounts) as used')
  return used!.used ? 'used' : 'empty'
}

/** SQL: whether an object belongs to an extension, such as pg_trgm, which stays. */
const isOfExtension = (catalog: string, oid: string) =>
  `exists (select from pg_depend where classid = '${catalog}'::regclass and objid = ${oid} and deptype = 'e')`

/** Drops all that migrations have created. Call inside a transaction. */
export async function dropContents(query: Query): Promise<void> {
  await query('drop schema if exists drizzle cascade')
  // Tables before their sequences and the types of their columns.
  const statements = await query<{ statement: string }>(`
    select case when relkind = 'S' then 2 else 1 end as step, format('drop %s if exists public.%I cascade',
      case relkind when 'v' then 'view' when 'm' then 'materialized view' when 'S' then 'sequence' else 'table' end,
      relname) as statement
    from pg_class where relkind in ('r', 'p', 'v', 'm', 'S') and not relispartition
      and relnamespace = 'public'::regnamespace and not ${isOfExtension('pg_class', 'oid')}
    union all
    select 3, format('drop routine if exists %s cascade', oid::regprocedure) as statement
    from pg_proc where pronamespace = 'public'::regnamespace and not ${isOfExtension('pg_proc', 'oid')}
    union all
    select 4, format('drop type if exists public.%I cascade', typname) as statement
    from pg_type where typtype in ('e', 'd') and typnamespace = 'public'::regnamespace
      and not ${isOfExtension('pg_type', 'oid')}
    order by step`)
  for (const { statement } of statements) await query(statement)
}
