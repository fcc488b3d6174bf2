import { ValidateBy } from 'class-validator';
import { IsLink } from '../http/validation/rules.js';

/** A link without user and password: they would be visible wherever the link is shown. */
function HasNoCredentials(): PropertyDecorator {
  return ValidateBy({
    name: 'hasNoCredentials',
    validator: {
      validate: (value: unknown) =>
        typeof value !== 'string' ||
        !URL.canParse(value) ||
        new URL(value).username + new URL(value).password === '',
      defaultMessage: () =>
        'must not hold a user and a password; each event is signed, so nothing else is needed',
    },
  });
}

/** Where events go: an http(s) address of at most 2,048 characters. */
export function IsWebhookUrl(): PropertyDecorator {
  return (target, property) => {
    IsLink(2_048)(target, property);
    HasNoCredentials()(target, property);
  };
}
