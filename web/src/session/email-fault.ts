const emailForm = /^[^\s@]+@[^\s@]+$/;

/** What is wrong with an email address, as far as a form can say. */
export const emailFault = (email: string): string | null =>
  emailForm.test(email) ? null : 'Write an address such as name@example.com';
