export { phoneForms } from './phone-forms.js';
export { plainNumber, readPhoneNumber } from './read-phone-number.js';
