import { isUUID, ValidateBy } from 'class-validator';

/** The platform's ids begin so; what follows is base64 of no documented length. */
const platformIdForm = /^wamid\.[\x21-\x7e]{1,506}$/;
const platformIdMaxLength = 512;

/** Whether a text is the platform's id of a message. */
export function isPlatformMessageId(text: string): boolean {
  return platformIdForm.test(text);
}

/** The id of a message of ours, or the platform's id of any message. Whether there is such a message is seen later. */
export function IsReplyTarget(): PropertyDecorator {
  return ValidateBy({
    name: 'isReplyTarget',
    constraints: [platformIdMaxLength],
    validator: {
      validate: (value: unknown) =>
        typeof value === 'string' && (isUUID(value) || isPlatformMessageId(value)),
      defaultMessage: () => 'must be the id of a message: a UUID, or wamid. and what follows it',
    },
  });
}
