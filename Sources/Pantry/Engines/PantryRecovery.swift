// `import Pantry` alone has the errors, digests and reports below it, in every file of a program as
// in every file here.
@_exported public import PantryRecovery
