import { ValidateBy } from 'class-validator';

/** The platform's ids begin so; what follows is base64 of no documented length. */
const platformIdForm = /^wamid\.[\x21-\x7e]{1,506}$/;

/** Such an id, or a UUID. */
const targetForm =
  /^(?:wamid\.[\x21-\x7e]{1,506}|[\da-fA-F]{8}-[\da-fA-F]{4}-[\da-fA-F]{4}-[\da-fA-F]{4}-[\da-fA-F]{12})$/;

/** Whether a text is the platform's id of a message. */
export function isPlatformMessageId(text: string): boolean {
  return platformIdForm.test(text);
}

/** The id of a message of ours, or the platform's id of any message. Whether it exists is checked later. */
export function IsReplyTarget(): PropertyDecorator {
  return ValidateBy({
    name: 'isReplyTarget',
    constraints: [targetForm],
    validator: {
      validate: (value: unknown) => typeof value === 'string' && targetForm.test(value),
      defaultMessage: () => 'must be the id of a message: a UUID, or wamid. and what follows it',
    },
  });
}
