/** Who sends: a business phone number and a token that may use it. */
export interface Sender {
  phoneNumberId: string;
  accessToken: string;
}
