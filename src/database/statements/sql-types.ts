/** The types of PostgreSQL that statements use, and what the driver reads them as. */
interface DriverTypes {
  readonly bool: boolean;
  readonly bytea: Buffer;
  readonly float4: number;
  readonly float8: number;
  readonly int2: number;
  readonly int4: number;
  /** More than a number of JavaScript may hold. */
  readonly int8: string;
  /** The driver reads an object of its own. */
  readonly interval: unknown;
  readonly json: unknown;
  readonly jsonb: unknown;
  readonly name: string;
  readonly numeric: string;
  /** A place in the log of changes. */
  readonly pg_lsn: string;
  readonly text: string;
  readonly timestamptz: Date;
  readonly uuid: string;
  /** Of a function that answers nothing. */
  readonly void: '';
  /** Of a transaction, with its epoch. */
  readonly xid8: string;
  readonly 'bool[]': boolean[];
  readonly 'bytea[]': Buffer[];
  readonly 'float8[]': number[];
  readonly 'int2[]': number[];
  readonly 'int4[]': number[];
  readonly 'int8[]': string[];
  readonly 'jsonb[]': unknown[];
  readonly 'text[]': string[];
  readonly 'timestamptz[]': Date[];
  readonly 'uuid[]': string[];
  readonly 'xid8[]': string[];
}

/** What a parameter of a type may be given as, where that is more than what is read. */
interface WrittenTypes {
  readonly int8: bigint | number | string;
  readonly interval: string;
  readonly json: object | string;
  readonly jsonb: object | string;
  readonly numeric: number | string;
  readonly timestamptz: Date | string;
  readonly 'int8[]': readonly (bigint | number | string | null)[] | string;
  readonly 'timestamptz[]': readonly (Date | string | null)[] | string;
}

/** A type by its name in PostgreSQL. */
export type SqlType = keyof DriverTypes;

/** A column whose values are known better than its type says. */
export interface NarrowType<T> {
  readonly type: SqlType;
  /** Only for the compiler. */
  readonly narrow?: T;
}

/** A column: a type, with a question mark where it may be null, or `as`. */
export type ColumnType = SqlType | `${SqlType}?` | NarrowType<unknown>;

/** A parameter: a type, with a question mark where it may be null. */
export type ParameterType = SqlType | `${SqlType}?`;

type Read<C extends ColumnType> =
  C extends NarrowType<infer T>
    ? T
    : C extends `${infer T extends SqlType}?`
      ? DriverTypes[T] | null
      : C extends SqlType
        ? DriverTypes[C]
        : never;

type WrittenArray<T> = T extends readonly (infer Item)[] ? readonly (Item | null)[] | string : T;

type Written<P extends ParameterType> = P extends `${infer T extends SqlType}?`
  ? WrittenOf<T> | null | undefined
  : P extends SqlType
    ? WrittenOf<P>
    : never;

type WrittenOf<T extends SqlType> = T extends keyof WrittenTypes
  ? WrittenTypes[T]
  : WrittenArray<DriverTypes[T]>;

/** The columns of a statement by their names. */
export type Columns = Readonly<Record<string, ColumnType>>;

/** The parameters of a statement by their names. */
export type Parameters = Readonly<Record<string, ParameterType>>;

/** A row with these columns. */
export type RowOf<C extends Columns> = { -readonly [Name in keyof C]: Read<C[Name]> };

/** The values of these parameters; those that may be null may be left out. */
export type ValuesOf<P extends Parameters> = {
  readonly [Name in keyof P as P[Name] extends SqlType ? Name : never]: Written<P[Name]>;
} & {
  readonly [Name in keyof P as P[Name] extends SqlType ? never : Name]?: Written<P[Name]>;
};

/** A column that the compiler reads as `T`: nobody compares more than its type with the database. */
export function as<T>(type: SqlType): NarrowType<T> {
  return { type };
}

/** @returns the name of a column's type without what only the compiler reads. */
export function sqlTypeOf(column: ColumnType): SqlType {
  return typeof column === 'string' ? (column.replace('?', '') as SqlType) : column.type;
}
