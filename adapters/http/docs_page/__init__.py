"""The human page of the REST API: from the OpenAPI document to HTML, without script."""
