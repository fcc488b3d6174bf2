import type { Columns, Parameters, RowOf, ValuesOf } from './sql-types.js';

/** What runs a statement: a connection, a transaction or a pool, TypeORM's or the driver's. */
export interface Database {
  query(text: string, values: unknown[]): Promise<unknown>;
}

/** The name identifies the text on every connection. */
export interface PreparedStatement {
  readonly name: string;
  readonly text: string;
}

/** Connections that prepare each statement once, under its name. */
export interface PreparingDatabase {
  runPrepared(statement: PreparedStatement, values: unknown[]): Promise<unknown>;
}

interface StatementParts<P extends Parameters, C extends Columns> {
  /** Lower case with hyphens, and unique: connections that prepare statements know this one by it. */
  readonly name: string;
  /** What `:name` in the text stands for, `$1` first. */
  readonly params?: P;
  /** Of the rows that it answers. */
  readonly columns?: C;
  readonly text: string;
}

type None = Readonly<Record<string, never>>;

/** Nothing for a statement without parameters. */
type Given<P extends Parameters> = string extends keyof P ? [] : [values: ValuesOf<P>];

/**
 * A statement with a name, named parameters and declared columns. It stands in a `*.statements.ts` beside its user;
 * `test/integration/statements` compares what it declares with the database. `statement` makes one.
 */
export class Statement<P extends Parameters = Parameters, C extends Columns = Columns> {
  readonly name: string;
  /** With `$1` instead of names. */
  readonly text: string;
  /** The names of the parameters that the text has, `$1` first. */
  readonly parameterNames: readonly string[];

  constructor(readonly parts: StatementParts<P, C>) {
    const { name, params, text } = parts;
    this.name = name;
    const used = new Set(Array.from(text.matchAll(parameter), ([, found]) => found));
    this.parameterNames = Object.keys(params ?? {}).filter((known) => used.has(known));
    this.text = text.replaceAll(parameter, (_, found: string) => {
      const index = this.parameterNames.indexOf(found);
      if (index === -1) throw new Error(`the statement ${name} has no parameter ${found}`);
      return `$${index + 1}`;
    });
  }

  /** The values in the order of the text. */
  private values(...[values]: Given<P>): unknown[] {
    const byName = (values ?? {}) as Readonly<Record<string, unknown>>;
    return this.parameterNames.map((name) => byName[name] ?? null);
  }

  /** Runs it. @returns its rows. */
  async rows(database: Database | PreparingDatabase, ...values: Given<P>): Promise<RowOf<C>[]> {
    return rowsOf(await this.send(database, ...values)) as RowOf<C>[];
  }

  /** Runs it. @returns its first row, or null where there is none. */
  async row(database: Database | PreparingDatabase, ...values: Given<P>): Promise<RowOf<C> | null> {
    const [row] = await this.rows(database, ...values);
    return row ?? null;
  }

  /** Runs an update or a delete. @returns how many rows it changed. */
  async changed(database: Database | PreparingDatabase, ...values: Given<P>): Promise<number> {
    return countOf(await this.send(database, ...values));
  }

  /** Runs it, whatever it answers. */
  async run(database: Database | PreparingDatabase, ...values: Given<P>): Promise<void> {
    await this.send(database, ...values);
  }

  private send(database: Database | PreparingDatabase, ...given: Given<P>): Promise<unknown> {
    const values = this.values(...given);
    return 'runPrepared' in database
      ? database.runPrepared(this, values)
      : database.query(this.text, values);
  }
}

/** `:name`, but no cast (`::text`) and no part of a word. */
const parameter = /(?<![:\w]):([a-z]\w*)/g;

/** A row that a statement answers. */
export type Row<S> = S extends Statement<infer _, infer C> ? RowOf<C> : never;

/** A statement whose text is always the same. */
export function statement<const P extends Parameters = None, const C extends Columns = None>(
  parts: StatementParts<P, C>,
): Statement<P, C> {
  return new Statement(parts);
}

interface FamilyParts<P extends Parameters, C extends Columns, Choice>
  extends Omit<StatementParts<P, C>, 'text'> {
  /** May name fewer parameters than are declared. */
  readonly text: (choice: Choice) => string;
  /** Choices that together show every part of the text; the test tries each. */
  readonly examples: readonly Choice[];
}

/** Statements that differ in parts of their text, as a list does with its filters. `family` makes one. */
export class StatementFamily<
  P extends Parameters = Parameters,
  C extends Columns = Columns,
  Choice = never,
> {
  constructor(private readonly parts: FamilyParts<P, C, Choice>) {}

  get name(): string {
    return this.parts.name;
  }

  /** The statement for one choice. */
  of(choice: Choice): Statement<P, C> {
    return new Statement({ ...this.parts, text: this.parts.text(choice) });
  }

  /** A statement for each example. */
  examples(): Statement<P, C>[] {
    return this.parts.examples.map((choice) => this.of(choice));
  }
}

/** Statements whose text depends on a choice. */
export function family<Choice, const P extends Parameters = None, const C extends Columns = None>(
  parts: FamilyParts<P, C, Choice>,
): StatementFamily<P, C, Choice> {
  return new StatementFamily(parts);
}

/** Joins the conditions whose values are given, neither null nor undefined; `true` where there are none. */
export function whereGiven<V extends object>(
  given: V,
  conditions: { readonly [Name in keyof V]?: string },
): string {
  const names = (Object.keys(conditions) as (keyof V)[]).filter((name) => given[name] != null);
  return names.map((name) => `(${conditions[name]})`).join(' and ') || 'true';
}

/**
 * A column that no index serves. Rows that are found by their ids are compared with it: a plan for the bare column, made
 * while few rows had the value, would read the index of that value, which is long in a backlog.
 */
export function unindexed(column: string): string {
  return `${column} || ''`;
}

/** TypeORM answers an update or a delete with its rows and their number, and everything else with rows alone. */
function isCounted(answer: unknown): answer is [unknown[], number] {
  return Array.isArray(answer) && Array.isArray(answer[0]) && typeof answer[1] === 'number';
}

function rowsOf(answer: unknown): unknown[] {
  if (isCounted(answer)) return answer[0];
  return Array.isArray(answer) ? answer : (answer as { rows: unknown[] }).rows;
}

function countOf(answer: unknown): number {
  if (isCounted(answer)) return answer[1];
  return Array.isArray(answer)
    ? answer.length
    : ((answer as { rowCount: number | null }).rowCount ?? 0);
}
