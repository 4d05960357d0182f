/** What a database contains, as far as it is copied: tables with their columns, partitions and sequences. */

/** Runs SQL on either of two databases. */
export type Query = <Row>(text: string) => Promise<Row[]>

export interface Table {
  /** Quoted, with its schema. */
  readonly name: string
  /** Quoted. Generated columns are not copied: the new database computes them. */
  readonly columns: readonly string[]
}

/** A part of a partitioned table. All names are quoted where needed. */
export interface Partition {
  readonly name: string
  /** The partitioned table. */
  readonly of: string
  /** As PostgreSQL writes it: `FOR VALUES FROM ('…') TO ('…')`, or from MINVALUE. */
  readonly bounds: string
}

export interface Sequence {
  /** Quoted, with its schema. */
  readonly name: string
  /** Decimal digits. */
  readonly value: string
}

/** Tables with rows of their own: also partitions, but not the tables that they are part of. */
export const listTables = (query: Query): Promise<Table[]> =>
  query<Table>(`
    select format('%I.%I', n.nspname, c.relname) as name,
      array_agg(format('%I', a.attname) order by a.attnum)::text[] as columns
    from pg_class c
    join pg_namespace n on n.oid = c.relnamespace
    join pg_attribute a on a.attrelid = c.oid and a.attnum > 0 and not a.attisdropped and a.attgenerated = ''
    where c.relkind = 'r' and n.nspname in ('public', 'drizzle')
    group by 1 order by 1`)

/** Returns the partitions of a database. */
export const listPartitions = (query: Query): Promise<Partition[]> =>
  query<Partition>(`
    select i.inhrelid::regclass::text as name, i.inhparent::regclass::text as "of",
      pg_get_expr(c.relpartbound, c.oid) as bounds
    from pg_inherits i join pg_class c on c.oid = i.inhrelid
    where c.relispartition and c.relkind = 'r' order by 1`)

/** Returns the sequences of a database that have been used. */
export const listSequences = (query: Query): Promise<Sequence[]> =>
  query<Sequence>(`
    select format('%I.%I', schemaname, sequencename) as name, last_value::text as value
    from pg_sequences where last_value is not null and schemaname in ('public', 'drizzle')`)

/** The form in which both databases write values as text. */
export const textForm = `
  set timezone = 'UTC'; set datestyle = 'ISO, MDY'; set intervalstyle = 'postgres';
  set bytea_output = 'hex'; set extra_float_digits = 1`

/** Returns the number of rows of a table and a digest of its columns, whatever the order of the rows. */
export async function digest(query: Query, { name, columns }: Table): Promise<string> {
  const [row] = await query<{ digest: string }>(`
    select count(*) || ' ' || coalesce(sum(hashtextextended(row(${columns.join(', ')})::text, 0)::numeric), 0) as digest
    from ${name}`)
  return row!.digest
}
