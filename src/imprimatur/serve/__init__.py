"""The gateway: any application, unchanged, behind the licence, while it streams (the extra ``serve``)."""
