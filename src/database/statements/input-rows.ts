import { lines, plainArray, textArray } from '../array-literals.js';

/** The types of PostgreSQL that input may have, and what a value of each is given as. */
interface InputTypes {
  readonly bool: boolean;
  readonly bytea: Buffer;
  readonly float8: number;
  readonly int2: number;
  readonly int4: number;
  readonly int8: number | string;
  readonly text: string;
  readonly timestamptz: Date | string;
  readonly uuid: string;
  /** A text without a line feed, such as JSON: as an array of texts, each of its quotes would be escaped here and unescaped there. */
  readonly line: string;
}

type InputType = keyof InputTypes;

type Types = Readonly<Record<string, InputType>>;

/** A row of input; it may have more than is read of it. */
type InputRow<T extends Types> = { readonly [Name in keyof T]: InputTypes[T[Name]] | null };

type InputParams<T extends Types> = {
  readonly [Name in keyof T & string as `${Name}s`]: T[Name] extends 'line'
    ? 'text'
    : `${Exclude<T[Name], 'line'>}[]`;
};

type InputValues<T extends Types> = { readonly [Name in keyof InputParams<T>]: string };

const encoders: {
  readonly [Type in InputType]: (values: readonly (InputTypes[Type] | null)[]) => string;
} = {
  bool: plainArray,
  bytea: (values) => textArray(values.map((value) => value && `\\x${value.toString('hex')}`)),
  float8: plainArray,
  int2: plainArray,
  int4: plainArray,
  int8: plainArray,
  text: textArray,
  timestamptz: (values) =>
    textArray(values.map((value) => (value instanceof Date ? value.toISOString() : value))),
  uuid: plainArray,
  line: lines,
};

const snakeCase = (name: string) =>
  name.replaceAll(/[A-Z]/g, (letter) => `_${letter.toLowerCase()}`);

/**
 * Rows that a statement takes, as an array for each of their values. The parameter `ids` has what is called `id` in each
 * row, and so on; the columns have the same names in snake case.
 */
export class InputRows<const T extends Types> {
  /** Of the statement. */
  readonly params: InputParams<T>;
  /** For the database: what `unnest` takes. */
  readonly arrays: string;
  /** For the database: the names of the columns. */
  readonly columns: string;
  /** For the database: the rows, as `t`. */
  readonly sql: string;
  private readonly fields: readonly [name: string, type: InputType][];

  constructor(types: T) {
    this.fields = Object.entries(types);
    const params = this.fields.map(([name, type]) => [
      `${name}s`,
      type === 'line' ? 'text' : `${type}[]`,
    ]);
    this.params = Object.fromEntries(params) as InputParams<T>;
    this.arrays = this.fields
      .map(([name, type]) =>
        type === 'line' ? `string_to_array(:${name}s, E'\\n', '')` : `:${name}s::${type}[]`,
      )
      .join(', ');
    this.columns = this.fields.map(([name]) => snakeCase(name)).join(', ');
    this.sql = `unnest(${this.arrays}) as t (${this.columns})`;
  }

  /** @returns the values of the parameters. */
  valuesOf(rows: readonly InputRow<T>[]): InputValues<T> {
    const values = this.fields.map(([name, type]) => {
      const encode = encoders[type] as (values: readonly unknown[]) => string;
      return [`${name}s`, encode(rows.map((row) => row[name]))];
    });
    return Object.fromEntries(values) as InputValues<T>;
  }
}
