import { IsIP, IsOptional, Matches } from 'class-validator';
import { IsMode, type Mode } from '../access/mode.js';
import { IsFlagInQuery, TimedPageDto } from '../http/validation/page.dto.js';
import { IsIdOf, IsText } from '../http/validation/rules.js';

/** Which requests to list; newest first. */
export class RequestListDto extends TimedPageDto {
  /** Requests with one key. */
  @IsOptional()
  @IsIdOf('an API key')
  key_id?: string;

  /** Default: all accounts that the user may see. */
  @IsOptional()
  @IsIdOf('an account')
  account_id?: string;

  @IsOptional()
  @IsMode()
  mode?: Mode;

  /** The status of the answer, such as `400`, or all of a class, such as `4xx`. */
  @IsOptional()
  @Matches(/^[1-5](?:\d\d|xx)$/, { message: 'must be an HTTP status such as 400, or 4xx' })
  status?: string;

  /** The code of the error that was answered, such as `VALIDATION_ERROR`. */
  @IsOptional()
  @Matches(/^[A-Z_]{1,50}$/, { message: 'must be an error code such as VALIDATION_ERROR' })
  code?: string;

  /** `meta.request_id` of the answer. */
  @IsOptional()
  @Matches(/^req_[\da-f]{32}$/i, { message: 'must be a request id: req_ and 32 digits' })
  request_id?: string;

  /** The pattern of a route, such as `/messages/template/send`, with or without `/api/v1/external`. */
  @IsOptional()
  @IsText(200)
  route?: string;

  /** The IP address that the request came from. */
  @IsOptional()
  @IsIP(undefined, { message: 'must be an IP address' })
  address?: string;

  /** `true`: only requests that were answered with an error; `false`: only the others. */
  @IsOptional()
  @IsFlagInQuery()
  refused?: 'true' | 'false';

  /** `true`: `meta.total` says how many match, up to 10,000, and `meta.total_is_exact` whether these are all. */
  @IsOptional()
  @IsFlagInQuery()
  count?: 'true' | 'false';
}

/** A request of the external API; or several that had no known key. */
export class LoggedRequestDto {
  /** `meta.request_id` of the answer; null for requests without a known key. */
  request_id: string | null;
  /** When it came; for requests without a known key, the minute. */
  at: Date;
  /** Null for requests without a known key. */
  method: string | null;
  /** The pattern of the route, such as `/messages/:uuid`; null where there is none, and without a known key. */
  route: string | null;
  /** The HTTP status of the answer. */
  status: number;
  /** The code of the error that was answered; null for a success. */
  code: string | null;
  /** The names of the fields that were not valid. */
  fields: string[];
  /** Null for requests without a known key. */
  api_key_id: string | null;
  /** Null when the key is deleted, and without a known key. */
  api_key_name: string | null;
  account_id: string | null;
  mode: Mode | null;
  /** Where it came from. Without a known key, IPv6 addresses are one for each /64. */
  address: string | null;
  /** From the first byte to the end of the answer; null for requests without a known key. */
  latency_ms: number | null;
  /** The message that it made or repeated, or null. */
  message_id: string | null;
  /** How many requests without a known key came in this minute from this address and ended alike; otherwise 1. */
  calls: number;
  /** Until when its body is kept, as `/requests/:request_id/body` answers it; null if it is not. */
  body_kept_until: Date | null;
}

/** A page of requests. */
export class LoggedRequestsDto {
  requests: LoggedRequestDto[];
  /** Null on the last page. */
  next_cursor: string | null;
}

/** The body of a request, as far as it was kept. */
export class LoggedBodyDto {
  /**
   * The redacted body as JSON with line breaks, at most 16 KiB, or a sentence where it was not JSON. Phone numbers keep
   * two digits at each end, links their origin, other texts their length.
   */
  body: string;
  /** When it is deleted. */
  kept_until: Date;
}
