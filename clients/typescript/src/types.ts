import type { components, operations } from './openapi.js';
import type { WebhookEvent } from './webhooks.js';

type Schemas = components['schemas'];

export type ButtonMessage = Schemas['ButtonMessage'];
export type ListMessage = Schemas['ListMessage'];
export type TextMessage = Schemas['TextMessage'];
export type MediaMessage = Schemas['MediaMessage'];
export type LocationMessage = Schemas['LocationMessage'];
export type ContactsMessage = Schemas['ContactsMessage'];
export type ReactionMessage = Schemas['ReactionMessage'];
export type CtaUrlMessage = Schemas['CtaUrlMessage'];
export type FlowMessage = Schemas['FlowMessage'];
export type CarouselMessage = Schemas['CarouselMessage'];
export type LocationRequestMessage = Schemas['LocationRequestMessage'];
export type ContactRequestMessage = Schemas['ContactRequestMessage'];
/** A template, filled by the names of its variables. */
export type TemplateMessage = Schemas['TemplateMessage'];
/** A template with WhatsApp's own components. */
export type RawTemplateMessage = Schemas['RawTemplateMessage'];

export type SentMessage = Schemas['SentMessage'];
export type SentTemplate = Schemas['SentTemplate'];
/** A message with its timeline. */
export type Message = Schemas['MessageWithTimeline'];
export type MessagePage = Schemas['Messages'];
export type ListedMessage = MessagePage['messages'][number];
export type Template = Schemas['Template'];
export type TemplatePage = Schemas['Templates'];
/** A user of WhatsApp, by number, user id or both. */
export type Contact = Schemas['Contact'];
export type ContactPage = Schemas['Contacts'];
export type ContactWindow = Schemas['ContactWindow'];
/** An event of the feed, as a webhook would get it, with its `webhook-id` as `id`. */
export type FeedEvent = WebhookEvent & { readonly id: string };
export type FeedPage = Omit<Schemas['Feed'], 'events'> & { readonly events: FeedEvent[] };
export type FeedFilter = NonNullable<operations['listEvents']['parameters']['query']>;
/** One template to many recipients. */
export type NewCampaign = Schemas['NewCampaign'];
export type Campaign = Schemas['Campaign'];
export type AddedRecipients = Schemas['AddedRecipients'];
/** Whom a campaign is for, with the values of the template's variables. */
export interface CampaignRecipient {
  readonly to?: string;
  readonly to_user_id?: string;
  readonly variables?: Readonly<Record<string, string>>;
  readonly reference?: string;
}
export type PageFilter = NonNullable<operations['listCampaigns']['parameters']['query']>;
export type CampaignPage = Schemas['Campaigns'];
export type CampaignEstimate = Schemas['Estimate'];
export type CampaignRetry = Schemas['CampaignRetry'];
export type RecipientFilter = NonNullable<
  operations['listCampaignRecipients']['parameters']['query']
>;
export type RecipientPage = Schemas['CampaignRecipients'];
export type NewConsent = Schemas['NewConsent'];
export type Consents = Schemas['Consents'];
export type ConsentImported = Schemas['ConsentImported'];
/** Where Parley posts events. */
export type Webhook = Schemas['Endpoint'];
export type NewWebhook = Schemas['NewEndpoint'];
export type NewlyAddedWebhook = Schemas['AddedEndpoint'];
export type WebhookChange = Schemas['EndpointChange'];
export type WebhookPage = Schemas['Endpoints'];
export type WebhookSecret = Schemas['EndpointSecret'];
export type WebhookTest = Schemas['EndpointTest'];
export type RecoveredEvents = Schemas['Recovered'];
/** A file that messages name by its `media_id`. */
export type Upload = Schemas['Upload'];
export type MarkedRead = Schemas['MarkedRead'];
export type RateLimit = Schemas['RateLimit'];

export type MessageFilter = NonNullable<operations['listMessages']['parameters']['query']>;
/** A user, by `phone` or `user_id`. */
export type User = NonNullable<operations['getContactWindow']['parameters']['query']>;
export type ContactFilter = NonNullable<operations['listContacts']['parameters']['query']>;
export type TemplateFilter = NonNullable<operations['listTemplates']['parameters']['query']>;
