import { AppError } from '../../src/errors/app-error.js';
import { validate } from '../../src/http/validation/body.pipe.js';
import type { Dto } from '../../src/http/validation/compiled-rules.js';

/** What is refused of a body, or null if it is fine. */
export function refusalOf(dto: Dto, body: object) {
  let error: AppError | null = null;
  try {
    validate(dto, body);
  } catch (thrown) {
    if (!(thrown instanceof AppError)) throw thrown;
    error = thrown;
  }
  return error && { code: error.code, fields: error.details?.fields as Record<string, string> };
}
