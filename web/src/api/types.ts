import type { paths } from '../../../clients/typescript/src/openapi.ts';
import type { components, operations } from './openapi.ts';

/** The names that the page gives to what the dashboard's REST takes and answers. Times are ISO 8601. */
type Schemas = components['schemas'];

export type Session = Schemas['Session'];
export type SessionUser = Schemas['SessionUser'];
export type Role = SessionUser['role'];

export type Account = Schemas['Account'];
export type Alert = Schemas['Alert'];
export type HourlyCalls = Schemas['HourlyCalls'];
export type Overview = Schemas['Overview'];
export type Outcomes = Schemas['Outcomes'];

export type ApiKey = Schemas['ApiKey'];
export type Mode = ApiKey['mode'];
export type KeyState = ApiKey['state'];
export type Permission = ApiKey['permissions'][number];
export type WebhookEvent = ApiKey['webhook']['events'][number];
export type NewApiKey = Schemas['NewApiKey'];
export type CreatedApiKey = Schemas['CreatedApiKey'];
export type KeyUsage = Schemas['ApiKeyUsage'];
export type WindowUsage = Schemas['WindowUsage'];

export type Message = Schemas['DashboardMessage'];
/** The types that Parley itself sends. */
export type KnownMessageType = NonNullable<
  NonNullable<operations['listAccountMessages']['parameters']['query']>['type']
>;
export type MessageStatus = Message['status'];
export type MessageError = Schemas['MessageError'];
export type MessageDetails = Schemas['DashboardMessageDetail'];
export type Contact = Schemas['Contact'];
export type ContactWindow = Schemas['ContactWindow'];
export type ContactRow = Schemas['DashboardContact'];
export type ContactDetails = Schemas['DashboardContactDetail'];
export type ConsentScope = Schemas['ConsentEntry']['scope'];
export type ConsentState = Schemas['ConsentEntry']['state'];
export type ConsentResult = Schemas['ConsentResult'];
export type TimelineEntry = Schemas['StatusChange'];
export type Attempt = Schemas['Attempt'];

export type AuditEntry = Schemas['AuditEntry'];
export type User = Schemas['User'];
export type NewUser = Schemas['NewUser'];
export type NewUserAnswer = Schemas['NewUserAnswer'];
export type UserSession = Schemas['UserSession'];
export type TotpSetup = Schemas['TotpSetup'];

export type Template = Schemas['DashboardTemplate'];
export type TemplateParameter = Schemas['TemplateParameter'];
export type MappedVariable = Schemas['MappedVariable'];
export type TemplateMapping = Schemas['TemplateMapping'];

export type Endpoint = Schemas['Endpoint'];
/** An endpoint of any key, with its health and its figures. */
export type ListedEndpoint = Schemas['EndpointStanding'];
export type EndpointHealth = Schemas['EndpointHealth'];
export type NewEndpoint = Schemas['NewEndpoint'];

export type Delivery = Schemas['Delivery'];
export type DeliveryAnswer = Schemas['DeliveryAnswer'];

export type SimulatorPhone = Schemas['SimulatorPhone'];
export type SimulatorReply = Schemas['SimulatorReply'];
export type SimulatorInbound = Extract<Schemas['SimulatorInbound'], { from: unknown }>;
export type SimulatorEcho = Extract<Schemas['SimulatorEcho'], { to: unknown }>;
export type SimulatorTurn = Schemas['SimulatorTurn'];
export type SimulatorUser = Schemas['SimulatorUser'];

export type TemplateAnswer = Schemas['DashboardTemplateAnswer'];
export type TemplateSyncState = Schemas['TemplateSyncState'];
export type TemplateSyncs = Schemas['TemplateSyncs'];
export type DeliveryStatus = Delivery['status'];
export type DeliveryAttempt = Schemas['DeliveryAttempt'];
export type Notification = Schemas['PlatformNotification'];
export type HealthChange = Schemas['HealthChange'];
export type NumberCheck = Schemas['NumberCheck'];
export type Checklist = Schemas['Checklist'];
export type ChecklistItem = Schemas['ChecklistItem'];
export type NewAccount = Schemas['NewAccount'];
export type ApiRequest = Schemas['LoggedRequest'];
/** `/api/v1/external/messages/{uuid}` */
export type ExternalPath = Extract<keyof paths, `/api/v1/external/${string}`>;
export type SearchResult = Schemas['SearchResult'];

export type Campaign = Schemas['Campaign'];
export type CampaignDetails = Schemas['DashboardCampaign'];
export type CampaignRetries = Schemas['CampaignRetries'];
export type CampaignCounts = Schemas['CampaignCounts'];
export type CampaignRecipient = Schemas['CampaignRecipientView'];
export type AddedRecipients = Schemas['AddedRecipients'];
export type Job = Schemas['Job'];
export type JobPreview = Schemas['JobPreview'];
export type JobResult = Schemas['JobResult'];
export type CampaignEstimate = Schemas['Estimate'];
export type NewCampaignDraft = Schemas['NewDraft'];
export type CampaignDraftChange = Schemas['DraftChange'];
