/** What one of the platform's codes means to people, and what they do about it. */
export interface ErrorText {
  readonly meaning: string;
  readonly advice: string;
}

/** Code | meaning | advice. The API, the dashboard and docs/errors.md use these words; a test compares the page. */
const table = `
0 | WhatsApp could not authenticate the app | Give the account a new access token.
1 | Invalid request, or an error at WhatsApp | Check the message. If it is right, send it again later.
2 | WhatsApp is temporarily down | Send it again later.
3 | Capability or permission missing | Give the token the permissions that WhatsApp asks for, or enter a new one.
4 | Too many calls by this app | Wait: Parley slows the number down by itself. Send fewer messages at once.
10 | Permission not granted or removed | Give the token the permission whatsapp_business_messaging, or enter a new one.
33 | Phone number deleted | Enter the phone number id of a number that exists.
100 | Invalid parameter | Change the field that the text of WhatsApp names.
100/33 | Number unknown or not permitted | Check the phone number id, and that the token may use that number.
104 | Access token required | Give the account an access token.
190 | Access token expired or not valid | Give the account a new access token: a system user's token that never expires.
200-299 | Permission not granted or removed | Give the token the permission that WhatsApp names, or enter a new one.
368 | Temporarily blocked for policy violations | Look into WhatsApp Manager for the violation, and ask for a review. Do not send until the block ends.
613 | Too many calls to this API | Wait: Parley slows the number down by itself. Send fewer messages at once.
80007 | Too many calls for this business account | Wait: Parley slows the number down by itself. Send fewer messages at once.
130403 | Recipient is blocked by this business | Unblock the recipient at WhatsApp first, or do not send.
130429 | Too many messages per second from this number | Wait: Parley slows the number down by itself. Set its send rate limit lower.
130472 | Customer service window closed; a template is needed | Send a template. Meta also uses this code for recipients in an experiment; then sending again does not help.
130497 | Messages to this country are not allowed | Do not send to this country from this business account.
131000 | Something went wrong at WhatsApp | Send it again later. If it keeps failing, ask WhatsApp support.
131005 | Access denied | Give the token the permissions that WhatsApp asks for, or enter a new one.
131008 | Required parameter missing | Add the field that the text of WhatsApp names.
131009 | Parameter value not valid | Correct the field that the text of WhatsApp names.
131014 | Media link could not be fetched | Use a public https link that answers with the file, or upload the file.
131016 | WhatsApp is temporarily unavailable | Send it again later.
131021 | Recipient and sender are the same number | Send to another number than that of the account.
131026 | Recipient not on WhatsApp, or cannot receive the message | Check the number. Do not send again: reach the recipient in another way.
131030 | Recipient not on the list of the test number | Add the recipient to the test number's list at Meta, or send from a real number.
131031 | Account locked | Look into WhatsApp Manager for the reason, and ask for a review.
131037 | Display name not approved | Have the display name approved in WhatsApp Manager.
131042 | Payment method missing or failed | Repair the payment method in WhatsApp Manager.
131043 | Message expired before delivery | Send it again if it still matters: the recipient could not be reached in time.
131044 | Payment issue with calls | Repair the payment method in WhatsApp Manager.
131045 | Number registered with a wrong certificate | Register the number again at WhatsApp.
131047 | Customer service window closed; a template is needed | Send a template, or wait until the recipient writes.
131048 | Number restricted after blocks and reports | Look at the quality of the number in WhatsApp Manager. Send only what recipients have asked for.
131049 | Marketing limit of the recipient reached | Send this template again after a day at the earliest, or do not send it.
131050 | Recipient stopped marketing messages | Send no marketing to this recipient until they allow it again.
131051 | Message type not supported | Send another type of message.
131052 | Media link expired or not valid | Use a public https link that answers with the file, or upload the file.
131053 | Media could not be used | Check type and size of the file, then send it again.
131055 | Method not allowed for this message | Send another type of message, or a marketing template.
131056 | Too many messages to this recipient | Wait: Parley sends less often to this recipient by itself.
131057 | Account in maintenance | Wait a few minutes, then send it again.
131062 | Message cannot be sent to a user id | Send it to the phone number of the recipient.
131063 | Marketing templates disabled for this API | Have them enabled in WhatsApp Manager, or send another category.
131064 | Limit reached after misclassified templates | Correct the categories of your templates in WhatsApp Manager.
132000 | Number of template parameters differs | Fill exactly the parameters that the template has. Sync the templates first.
132001 | Template does not exist in this language | Check name and language, and that WhatsApp has approved the template. Sync the templates.
132005 | Text of the filled template too long | Fill the template with shorter values.
132007 | Template violates the character policy | Change what the text of WhatsApp names, in the values or in the template.
132008 | Template parameter value differs | Fill each parameter with the kind of value that the template expects.
132012 | Template parameter format differs | Fill each parameter in the format of the template, such as a link for an image. Sync the templates.
132015 | Template paused | Improve the template at WhatsApp, or send another one. WhatsApp ends the first pauses by itself.
132016 | Template disabled | Send another template: this one was paused too often.
132018 | Template parameters not accepted | Compare the parameters with the template at WhatsApp, and correct them.
132068 | Flow blocked | Repair the flow in WhatsApp Manager.
132069 | Flow throttled | Send fewer of them for an hour, and repair the flow in WhatsApp Manager.
133000 | Earlier deregistration incomplete | Deregister the number at WhatsApp again, then register it.
133004 | WhatsApp is temporarily unavailable | Send it again later.
133005 | Wrong two-step PIN | Enter the right PIN, or set a new one in WhatsApp Manager.
133006 | Number not verified | Verify the number in WhatsApp Manager.
133008 | Too many PIN guesses | Wait as long as WhatsApp says, then enter the right PIN.
133009 | PIN guessed too fast | Wait as long as WhatsApp says, then enter the right PIN.
133010 | Number not registered | Register the number for the Cloud API in WhatsApp Manager.
133015 | Number deleted a moment ago | Wait five minutes, then register the number.
133016 | Too many registration attempts of this number | Wait 72 hours before you register it again.
134011 | Terms of WhatsApp Payments not accepted | Accept the terms in WhatsApp Manager.
134100 | Only marketing templates are accepted here | Send a template of category MARKETING.
134101 | Template still being prepared | Wait ten minutes, then send it again.
134102 | Template not available here | Wait, then send it again. If it keeps failing, send another template.
135000 | Parameters not accepted | Compare the message with the limits of its type, and correct it.
136024 | Verification code not sent | Ask for another code later, or by voice call.
136025 | Verification code not accepted | Enter the code again, or ask for another one.
137000 | Identity of the recipient changed | Make sure who the recipient is, then send again.
139200 | This message may not be sent | Send another message: others from this number pass.
2494100 | Account in maintenance | Wait a few minutes, then send it again.
`;

/** By code, and for `100/33` (code and subcode) and the range `200-299`. */
export const errorTexts: ReadonlyMap<string, ErrorText> = new Map(
  table
    .trim()
    .split('\n')
    .map((line) => {
      const [code = '', meaning = '', advice = ''] = line.split(' | ');
      return [code, { meaning, advice }];
    }),
);

/**
 * A template that was refused with one of these is most likely refused again, if it is sent once more to the same recipient.
 * The recipient cannot get it, or the message has something in it that WhatsApp does not take. Left out are codes whose
 * cause can go away elsewhere: a link may answer later, and people repair a template at WhatsApp or sync it.
 */
export const hopelessCodes: ReadonlySet<string> = new Set([
  '100',
  '130472',
  '130497',
  '131008',
  '131009',
  '131021',
  '131026',
  '131050',
  '131051',
  '131062',
  '132005',
  '132008',
  '132018',
]);

/** The window was closed. Only a message that is no template is refused for that. */
export const windowCodes: ReadonlySet<string> = new Set(['130472', '131047']);

/** What is known of a message that failed. */
interface Failed {
  /** Undefined where the failures of several messages are counted. */
  readonly type?: string | undefined;
  /** Whether the recipient's window is open now. */
  readonly isWindowOpen?: boolean;
}

/** Whether the same message, sent once more, is most likely refused once more. */
export function isHopeless(code: string, { type, isWindowOpen = false }: Failed = {}): boolean {
  if (type !== 'template' && windowCodes.has(code)) return !isWindowOpen;
  return hopelessCodes.has(code);
}

/** The words for a code; null for one that is in no list. */
export function errorTextOf(code: number, subcode: number | null = null): ErrorText | null {
  const key =
    code === 100 && subcode === 33 ? '100/33' : code >= 200 && code <= 299 ? '200-299' : `${code}`;
  return errorTexts.get(key) ?? null;
}
