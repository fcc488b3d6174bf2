import { applyDecorators, SetMetadata } from '@nestjs/common';
import type { ErrorCode } from '../errors/catalogue.js';

/** A code, with its status where that is not the catalogue's. */
export type Refusal = ErrorCode | { readonly code: ErrorCode; readonly status: number };

/** An answer without the envelope. */
export interface BareAnswer {
  readonly description: string;
  /** The class of the JSON; text where there is none. */
  readonly type?: new () => object;
  /** Default: application/json with a class, text/plain without. */
  readonly mediaType?: string;
}

export const refusalsKey = 'openapi-refusals';
export const sendKey = 'openapi-send';
export const bareKey = 'openapi-bare';
export const fileKey = 'openapi-file';
export const oneOfKey = 'openapi-one-of';

/**
 * The errors of a route for the OpenAPI document, in addition to those of its guards and of its
 * parameters.
 */
export const Refuses = (...codes: Refusal[]) => SetMetadata(refusalsKey, codes);

/**
 * The route sends a message: it takes `Idempotency-Key` and `Prefer`, and can answer 202.
 * @param codes its errors in addition to those of every send.
 */
export const SendsMessage = (...codes: Refusal[]) =>
  applyDecorators(
    SetMetadata(sendKey, true),
    Refuses(
      ...codes,
      'MESSAGE_SEND_FAILED',
      { code: 'MESSAGE_SEND_FAILED', status: 500 },
      'IDEMPOTENCY_KEY_REUSED',
    ),
  );

/** The route answers without the envelope. */
export const AnswersBare = (answers: Readonly<Record<number, BareAnswer>>) =>
  SetMetadata(bareKey, answers);

/** The list is also answered as a file, if `Accept` asks for one. */
export const AlsoAsFile = () => SetMetadata(fileKey, true);

/** The route's `data` is one of several classes. */
export const AnswersOneOf = (...types: (new () => object)[]) => SetMetadata(oneOfKey, types);
