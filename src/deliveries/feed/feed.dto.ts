import { IsOptional, Matches } from 'class-validator';
import { type WebhookEvent, webhookEvents } from '../../events/event-types.js';
import { IsLimit, ToInteger } from '../../http/validation/page.dto.js';
import { IsWholeNumber } from '../../http/validation/rules.js';

const typesForm =
  /^(?:message\.(?:received|status|echo|standby)|webhook\.test|contact\.(?:changed|consent)|campaign\.status|alert\.(?:raised|resolved))(?:,(?:message\.(?:received|status|echo|standby)|webhook\.test|contact\.(?:changed|consent)|campaign\.status|alert\.(?:raised|resolved)))*$/;
const cursorForm = /^\d{1,19}\.[\da-f]{8}-[\da-f]{4}-[\da-f]{4}-[\da-f]{4}-[\da-f]{12}$/;

/** Which events of the feed to return. */
export class FeedQueryDto {
  /** `next_cursor` of the answer before; the beginning of the feed without it. */
  @IsOptional()
  @Matches(cursorForm, { message: 'must be the next_cursor of an earlier answer' })
  cursor?: string;

  /** Only these, separated by commas: `message.received`, `message.status`, `campaign.status` … */
  @IsOptional()
  @Matches(typesForm, {
    message: `must be some of ${webhookEvents.join(', ')}, separated by commas`,
  })
  types?: string;

  /** 1 to 1,000; default 100. */
  @IsLimit(1_000)
  limit = 100;

  /** How many seconds to wait if there is no event yet: 0 (default) to 25. */
  @IsOptional()
  @ToInteger()
  @IsWholeNumber(0, 25)
  wait?: number;
}

/** An event, as a webhook of the key would get it. */
export class FeedEventDto {
  /** What a webhook gets as `webhook-id`. */
  id: string;
  event: WebhookEvent;
  timestamp: string;
  /** What happened, by the type of the event. */
  data: Record<string, unknown>;
}

/** A page of the feed, the oldest first. */
export class FeedDto {
  events: FeedEventDto[];
  /** Where to go on. An empty page has one, too. */
  next_cursor: string;
}
