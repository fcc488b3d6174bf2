import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsDate, IsIn, IsInt, IsOptional, IsUUID, Max, Min, ValidateBy } from 'class-validator';
import { isPhoneNumber, timeOf } from './rules.js';

/** A whole number in a query; other texts are left as they are and refused later. @param digits the most allowed. */
export const ToInteger = (digits = 6) =>
  Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && /^\d+$/.test(value) && value.length <= digits
      ? Number(value)
      : value,
  );

/** `true` or `false` in a query; it stays a text. */
export const IsFlagInQuery = () => IsIn(['true', 'false'], { message: 'must be true or false' });

/** How many entries a page has, 1 to `max`. */
export function IsLimit(max: number): PropertyDecorator {
  const rule = { message: `must be a whole number from 1 to ${max}` };
  return applyDecorators(ToInteger(), IsInt(rule), Min(1, rule), Max(max, rule));
}

/** A page of a list that is in the order of its ids, newest first. */
export class PageDto {
  /** 1 to 100; default 20. */
  @IsLimit(100)
  limit = 20;

  /** `next_cursor` of the page before. */
  @IsOptional()
  @IsUUID('7', { message: 'must be the next_cursor of an earlier answer' })
  cursor?: string;
}

/** Leaves anything that is not a time as it is; validation refuses it. */
const toDate = Transform(({ value }: { value: unknown }) => timeOf(value) ?? value);

/** An ISO 8601 time in a query, as a date. */
export function IsTimeInQuery(): PropertyDecorator {
  return applyDecorators(
    toDate,
    IsDate({ message: 'must be an ISO 8601 time such as 2030-01-31T12:00:00Z' }),
  );
}

/** A phone number in E.164 form stays a text; a time becomes a date. They cannot be mistaken for each other. */
export function IsRecipientOrTimeInQuery(): PropertyDecorator {
  return applyDecorators(
    toDate,
    ValidateBy({
      name: 'isRecipientOrTime',
      validator: {
        validate: (value: unknown) => value instanceof Date || isPhoneNumber(value),
        defaultMessage: () =>
          'must be a phone number in E.164 form, such as +14155550123, or an ISO 8601 time',
      },
    }),
  );
}

/** A page of a list of what happened within a time. */
export class TimedPageDto extends PageDto {
  /** ISO 8601; only what is from this time or later. */
  @IsOptional()
  @IsTimeInQuery()
  from?: Date;

  /** ISO 8601; only what is from before this time. */
  @IsOptional()
  @IsTimeInQuery()
  to?: Date;
}

/**
 * Makes a page from rows, one more than the page holds: the extra one shows whether there is another page.
 * @param cursorOf where the next page begins.
 */
export function pageOf<Row extends { readonly id: string }>(
  rows: readonly Row[],
  limit: number,
  cursorOf: (last: Row) => string = ({ id }) => id,
): { page: Row[]; next_cursor: string | null } {
  const page = rows.slice(0, limit);
  const last = page.at(-1);
  return { page, next_cursor: rows.length > limit && last ? cursorOf(last) : null };
}
