import { applyDecorators } from '@nestjs/common';
import { Transform } from 'class-transformer';
import { IsInt, IsOptional, IsUUID, Max, Min } from 'class-validator';

/** A whole number in a query; other texts are left as they are and refused later. @param digits the most allowed. */
export const ToInteger = (digits = 6) =>
  Transform(({ value }: { value: unknown }) =>
    typeof value === 'string' && /^\d+$/.test(value) && value.length <= digits
      ? Number(value)
      : value,
  );

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
